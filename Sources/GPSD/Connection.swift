internal import CGPS
internal import Clock
internal import Navigation

/// One connection to gpsd with libgps's 24 kB of state behind it, never copied; closed with its
/// owner.
struct Connection: ~Copyable {
    private let data: UnsafeMutablePointer<cgps>

    /// What an opened connection is on its way from one thread to another.
    struct Handle: Sendable {
        fileprivate let address: UInt
    }

    /// gps_open's way to say no.
    struct OpenError: Error {
        /// An errno, or libgps's own negative number.
        let code: Int32
    }

    /// Blocks for name resolution and connect: for a helper thread.
    static func open(host: String, port: String) -> Result<Handle, OpenError> {
        guard let data = cgps_allocate() else { return .failure(OpenError(code: ENOMEM)) }
        let code = cgps_open(data, host, port)
        guard code == 0 else {
            cgps_free(data)
            return .failure(OpenError(code: code))
        }
        return .success(Handle(address: UInt(bitPattern: data)))
    }

    /// - Parameter handle: of a connection that nobody owns yet.
    init(_ handle: Handle) {
        guard let data = UnsafeMutablePointer<cgps>(bitPattern: handle.address) else {
            preconditionFailure("a handle always holds an address")
        }
        self.data = data
    }

    deinit { cgps_close(data) }

    var descriptor: Int32 { cgps_descriptor(data) }

    /// Asks gpsd for reports of all its devices; false where it does not take it.
    func watch() -> Bool { cgps_watch(data) == 0 }

    /// A message, or that there is none.
    enum Reading {
        case message(Message)
        case nothingYet
        case ended
    }

    /// What the client looks at in a message.
    struct Message {
        var isVersion = false
        var reports: [Report] = []
    }

    /// Reads the next message that is there as a whole.
    func read() -> Reading {
        switch cgps_read(data) {
        case 1: .message(message())
        case 0: .nothingYet
        default: .ended
        }
    }

    private func message() -> Message {
        let kind = Int(cgps_kind(data))
        func has(_ bit: Int) -> Bool { kind & bit != 0 }
        var message = Message(isVersion: has(CGPS_VERSION))
        if has(CGPS_DEVICE) {
            message.reports.append(.device(path: device, active: cgps_device_active(data) != 0))
        }
        if has(CGPS_SKY) { message.reports.append(.sky(sky)) }
        if has(CGPS_POSITION) { message.reports.append(.position(position)) }
        return message
    }

    private var device: String { String(cString: cgps_device(data)) }

    private var sky: SkyReport {
        let used = cgps_satellites_used(data)
        return SkyReport(
            device: device, satellitesUsed: used < 0 ? nil : Int(used), hdop: cgps_hdop(data))
    }

    private var position: PositionReport {
        var raw = cgps_position()
        cgps_get_position(data, &raw)
        var report = PositionReport(
            device: device, mode: Int(raw.mode), status: Int(raw.status),
            time: raw.has_time != 0 ? UnixTime(nanoseconds: raw.time_ns) : nil)
        report.latitudeDegrees = raw.latitude
        report.longitudeDegrees = raw.longitude
        report.heightMetres = raw.altitude_msl
        report.ellipsoidHeightMetres = raw.altitude_hae
        report.speedMetresPerSecond = raw.speed
        report.courseDegrees = raw.track
        report.climbMetresPerSecond = raw.climb
        report.horizontalAccuracyMetres = raw.eph
        report.verticalAccuracyMetres = raw.epv
        report.speedAccuracyMetresPerSecond = raw.eps
        return report
    }
}
