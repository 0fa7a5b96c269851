package import Clock
package import OsmoProtocol
import Simulation

/// Who is in the stand-in's air, and how fast its BlueZ is.
package struct FakeSettings: Sendable {
    /// A simulated camera.
    package struct Camera: Sendable {
        /// What control lines and output call it.
        package var name: String
        /// Its Bluetooth address.
        package var address: BluetoothAddress
        /// Which camera it plays.
        package var model: CameraModel

        /// A camera that is on and in range.
        package init(name: String, address: BluetoothAddress, model: CameraModel) {
            self.name = name
            self.address = address
            self.model = model
        }
    }

    /// Somebody else's device: heard, and not to be touched.
    package struct Stranger: Sendable {
        /// As it advertises.
        package var name: String
        /// Its Bluetooth address.
        package var address: BluetoothAddress
        /// The company of its manufacturer data.
        package var companyID: UInt16
        /// Its manufacturer data after the company.
        package var data: [UInt8]

        /// A device of somebody else.
        package init(name: String, address: BluetoothAddress, companyID: UInt16, data: [UInt8]) {
            self.name = name
            self.address = address
            self.companyID = companyID
            self.data = data
        }
    }

    /// Simulated cameras.
    package var cameras: [Camera] = []
    /// Other devices in range.
    package var strangers: [Stranger] = []
    /// Their addresses, hci0 first.
    package var adapters: [BluetoothAddress] = []
    /// How long bluetoothd takes.
    package var timing = Timing()
    /// Of all that is left to chance.
    package var seed: UInt64 = 1
    /// Faults and behaviour set from the start, as control lines.
    package var commands: [String] = []

    /// No cameras, no adapters.
    package init() {}

    /// The adapter of a number, from 0.
    package static func adapter(_ number: Int) -> BluetoothAddress {
        BluetoothAddress(value: 0x0200_0000_0001 + UInt64(number))
    }

    /// The camera of a number, from 0: cam1 is the first, the models come in turn.
    package static func camera(_ number: Int, models: [CameraModel] = CameraCatalog.models)
        -> Camera
    {
        Camera(
            name: "cam\(number + 1)", address: CameraCatalog.address(of: number),
            model: models[number % models.count])
    }

    /// The stranger of a number: other makers' devices, and cameras without R SDK among them.
    package static func stranger(_ number: Int) -> Stranger {
        let address = BluetoothAddress(value: 0x4C00_0000_0000 + UInt64(number))
        let name = "stranger\(number + 1)"
        if number % 5 == 4 {
            return Stranger(
                name: name, address: address, companyID: CameraAdvertisement.companyID,
                data: [0x20, 0x00, 0x40])
        }
        return Stranger(name: name, address: address, companyID: 0x004C, data: [0x10, 0x05])
    }

    /// What bluetoothd 5.66 took, on a radio without distance. Each one was measured.
    package struct Timing: Sendable {
        /// Between advertisements of a device while somebody scans.
        package var advertisement = TimeSpan.milliseconds(500)
        /// Connect of a device in range.
        package var connect = TimeSpan.milliseconds(400)
        /// The same while a scan goes on.
        package var connectWhileScanning = TimeSpan.seconds(10)
        /// Connect of a device that is not there, until it fails.
        package var connectAbsent = TimeSpan.seconds(42)
        /// Connect of a device that is heard and does not answer, until the kernel gives up.
        package var connectUnanswered = TimeSpan.milliseconds(4200)
        /// From the end of a link to the next one that bluetoothd makes by itself.
        package var autoConnect = TimeSpan.milliseconds(200)
        /// From Connect's answer to Connected true.
        package var connectedLag = TimeSpan.milliseconds(100)
        /// From Connected to ServicesResolved.
        package var services = TimeSpan.milliseconds(500)
        /// StartNotify, until its answer.
        package var startNotify = TimeSpan.milliseconds(60)
        /// Disconnect, until its answer.
        package var disconnect = TimeSpan.seconds(2)
        /// A device without link, trust and advertisement is forgotten after this.
        package var forget = TimeSpan.seconds(30)
        /// From the end of bluetoothd to its next start.
        package var restart = TimeSpan.seconds(1)

        /// The measured times.
        package init() {}

        /// All of it faster or slower.
        package func scaled(by factor: Double) -> Timing {
            var timing = self
            for path in Self.all { timing[keyPath: path] = timing[keyPath: path] * factor }
            return timing
        }

        private static let all: [any WritableKeyPath<Timing, TimeSpan> & Sendable] = [
            \.advertisement, \.connect, \.connectWhileScanning, \.connectAbsent,
            \.connectUnanswered, \.autoConnect, \.connectedLag, \.services, \.startNotify,
            \.disconnect, \.forget, \.restart,
        ]
    }
}
