// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled this way. Warnings are errors only where GEOTAGD_STRICT is set (CI and
/// `make check`), so that a newer compiler's new warning does not stop anybody's build.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (Context.environment["GEOTAGD_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// The pure targets touch no pointer that the compiler has not seen.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

let package = Package(
    name: "geotagd",
    products: [
        .executable(name: "geotagd", targets: ["geotagd"]),
        .executable(name: "geotagctl", targets: ["geotagctl"]),
        .executable(name: "geotag-sim", targets: ["geotag-sim"]),
    ],
    targets: [
        // C headers, and nothing else.
        .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "CLinux"),

        // The data's way: a position comes in, is understood, is told to whom it concerns, is put
        // into bytes, and goes on the air.
        .target(
            name: "GPSD", dependencies: ["CGPS", "Navigation", "Reactor"], swiftSettings: strict),
        .target(
            name: "Navigation", swiftSettings: pure,
            linkerSettings: [.linkedLibrary("m")]),
        .target(name: "Fleet", dependencies: ["Navigation", "OsmoProtocol"], swiftSettings: pure),
        .target(name: "OsmoProtocol", swiftSettings: pure),
        .target(
            name: "BlueZ", dependencies: ["CDBus", "Navigation", "OsmoProtocol", "Reactor"],
            swiftSettings: strict),

        // Under the edges, the wiring, and the other interpreter of the same effects.
        .target(name: "Reactor", dependencies: ["CLinux", "Navigation"], swiftSettings: strict),
        .target(
            name: "Daemon",
            dependencies: [
                "BlueZ", "CLinux", "Fleet", "GPSD", "Navigation", "OsmoProtocol", "Reactor",
                "Simulation",
            ], swiftSettings: strict),
        .target(
            name: "Simulation", dependencies: ["Fleet", "Navigation", "OsmoProtocol"],
            swiftSettings: pure),
        .target(
            name: "BlueZStandIn",
            dependencies: [
                "BlueZ", "CDBus", "Navigation", "OsmoProtocol", "Reactor", "Simulation",
            ],
            swiftSettings: strict),

        // Finds footage in the track, offline.
        .target(
            name: "TrackTools", dependencies: ["CLinux", "Fleet", "Navigation"],
            swiftSettings: strict),

        // The person's and the script's end of the control socket.
        .target(
            name: "ControlTool", dependencies: ["CLinux", "Fleet", "Navigation", "Reactor"],
            swiftSettings: strict),

        .executableTarget(name: "geotagd", dependencies: ["Daemon"], swiftSettings: strict),
        .executableTarget(
            name: "geotagctl", dependencies: ["ControlTool", "TrackTools"],
            swiftSettings: strict),
        .executableTarget(
            name: "geotag-sim",
            dependencies: [
                "BlueZStandIn", "Fleet", "Navigation", "OsmoProtocol", "Reactor", "Simulation",
            ], swiftSettings: strict),

        .testTarget(
            name: "OsmoProtocolTests", dependencies: ["CLinux", "OsmoProtocol"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "NavigationTests", dependencies: ["Navigation"], swiftSettings: strict),
        .testTarget(
            name: "FleetTests",
            dependencies: ["Fleet", "Navigation", "OsmoProtocol", "Simulation"],
            swiftSettings: strict),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Simulation", "Fleet", "Navigation", "OsmoProtocol"],
            swiftSettings: strict),
        .testTarget(
            name: "ReactorTests", dependencies: ["Reactor", "Navigation"], swiftSettings: strict),
        .testTarget(
            name: "GPSDTests", dependencies: ["GPSD", "Navigation", "Reactor"],
            swiftSettings: strict),
        .testTarget(
            name: "BlueZTests",
            dependencies: [
                "BlueZ", "BlueZStandIn", "Navigation", "OsmoProtocol", "Reactor", "Simulation",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonTests",
            dependencies: ["Daemon", "Fleet", "Navigation", "OsmoProtocol", "Reactor", "CLinux"],
            swiftSettings: strict),
        .executableTarget(
            name: "track-bench",
            dependencies: ["Daemon", "Fleet", "Navigation", "Reactor", "TrackTools"],
            path: "Tests/Bench/Track", swiftSettings: strict),
        .testTarget(
            name: "ControlToolTests",
            dependencies: ["ControlTool", "Fleet", "Navigation", "Reactor"],
            swiftSettings: strict),
        .testTarget(
            name: "TrackToolsTests", dependencies: ["TrackTools", "Fleet", "Navigation"],
            swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ]
)

// `make fuzz` alone: libFuzzer's runtime is not everywhere where the programs are built.
if Context.environment["GEOTAGD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "geotagd-fuzz",
            dependencies: ["Daemon", "Fleet", "Navigation", "OsmoProtocol", "Reactor"],
            path: "Tests/Fuzz/Subjects", swiftSettings: strict))
}
