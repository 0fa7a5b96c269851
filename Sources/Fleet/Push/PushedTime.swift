package import Clock

extension RigSettings.TimeField {
    /// The date and time of a GPS push for `time`, as 20260131 and 235959; seconds are cut. nil
    /// outside the years of `CivilTime`.
    ///
    /// - Parameter zone: this machine's, for `local`.
    package func dateAndTime(
        of time: UnixTime, zone: LocalZone
    ) -> (date: Int32, time: Int32)? {
        let offset =
            switch self {
            case .offset(let fixed): fixed
            case .local: zone.offset(at: time)
            }
        guard let civil = CivilTime(time, offset: offset) else { return nil }
        return (
            Int32(civil.year * 10_000 + civil.month * 100 + civil.day),
            Int32(civil.hour * 10_000 + civil.minute * 100 + civil.second)
        )
    }
}
