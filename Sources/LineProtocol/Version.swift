package import Clock

/// The version of this build, for all programs.
package enum Version {
    /// The release, `MAJOR.MINOR.PATCH`, as `--version` and `version` show it.
    package static let text = "0.1.0"

    /// 2026-11-01T00:00:00Z: a receiver's date before it is not believed (field notes A4). Moved on
    /// with each release, so that builds of one source are equal.
    package static let date = UnixTime(nanoseconds: 1_793_491_200_000_000_000)
}
