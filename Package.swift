// swift-tools-version: 6.0
import PackageDescription

/// Every target is compiled this way, as far as the compiler knows the setting: Debian 13 ships
/// Swift 6.0.3. Warnings are errors only where GEOTAGD_STRICT is set (CI and `make check`), so that
/// a newer compiler's new warning does not stop anybody's build.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    + (Context.environment["GEOTAGD_STRICT"] == nil ? [] : [.unsafeFlags(["-warnings-as-errors"])])

/// The pure targets touch no pointer that the compiler has not seen; from Swift 6.2 it looks.
#if compiler(>=6.2)
    let pure = strict + [.unsafeFlags(["-strict-memory-safety"])]
#else
    let pure = strict
#endif

/// A target of the core: value types, no clock of its own, no input or output.
func core(_ name: String, _ dependencies: [String], links: [LinkerSetting] = []) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        swiftSettings: pure, linkerSettings: links)
}

/// A target that owns descriptors, C pointers or the wiring.
func edge(_ name: String, _ dependencies: [String]) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [String], path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path,
        swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [String], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        resources: resources, swiftSettings: strict)
}

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

        // The way of a position: it comes in, is understood, is scheduled for each camera, is
        // encoded, and goes on the air.
        edge("GPSD", ["CGPS", "Clock", "Navigation", "Reactor"]),
        core("Navigation", ["Clock"], links: [.linkedLibrary("m")]),
        core(
            "Fleet",
            ["Clock", "LineProtocol", "Navigation", "OsmoProtocol", "RadioPort", "TrackFormat"]),
        core("OsmoProtocol", []),
        core("RadioPort", ["OsmoProtocol"]),
        edge("BlueZ", ["CDBus", "Clock", "OsmoProtocol", "RadioPort", "Reactor"]),

        // What all of them share: time, the loop, the words of commands, the rows of files.
        core("Clock", []),
        edge("Reactor", ["CLinux", "Clock"]),
        core("LineProtocol", ["Clock", "OsmoProtocol"]),
        core("TrackFormat", ["Clock", "LineProtocol", "Navigation"]),
        // The rig as numbers for monitoring.
        core("Metrics", ["Clock", "LineProtocol"]),
        // How a program that serves is told what to do and tells how it is; who asks the daemon.
        edge("Service", ["Clock", "LineProtocol", "Reactor"]),
        edge("ControlClient", ["Clock", "LineProtocol", "Reactor"]),
        // What clips of cameras hold, and when that was.
        core("Footage", ["Clock", "Navigation"]),

        // The wiring of the daemon, and the other interpreter of the same effects.
        edge(
            "Daemon",
            [
                "BlueZ", "CLinux", "Clock", "Fleet", "GPSD", "LineProtocol", "Navigation",
                "OsmoProtocol", "RadioPort", "Reactor", "Service", "Simulation", "TrackFormat",
            ]),
        core(
            "Simulation",
            ["Clock", "Fleet", "LineProtocol", "Navigation", "OsmoProtocol", "RadioPort"]),
        // What simulated cameras film; knows nothing of the reader that it tests.
        core("Film", ["Clock", "OsmoProtocol"]),
        edge(
            "FakeBlueZ",
            ["BlueZ", "Clock", "OsmoProtocol", "Reactor", "Simulation"]),

        // What people run beside the daemon: tools for tracks, the client of the control socket,
        // the simulator.
        edge(
            "TrackTools",
            [
                "CLinux", "Clock", "Footage", "LineProtocol", "Navigation", "Reactor",
                "TrackFormat",
            ]),
        edge(
            "ControlTool",
            ["BlueZ", "CLinux", "Clock", "ControlClient", "LineProtocol", "Metrics", "Reactor"]),
        edge(
            "SimulatorTool",
            [
                "Clock", "FakeBlueZ", "Film", "Fleet", "LineProtocol", "Navigation",
                "OsmoProtocol", "RadioPort", "Reactor", "Simulation", "TrackFormat",
            ]),

        program("geotagd", ["Daemon"]),
        program("geotagctl", ["ControlTool", "TrackTools"]),
        program("geotag-sim", ["SimulatorTool"]),

        tests("ClockTests", ["Clock"]),
        tests("FootageTests", ["Clock", "Film", "Footage", "OsmoProtocol"]),
        tests("OsmoProtocolTests", ["OsmoProtocol"], resources: [.copy("Fixtures")]),
        tests("NavigationTests", ["Clock", "Navigation"]),
        tests("LineProtocolTests", ["Clock", "Fleet", "LineProtocol", "OsmoProtocol"]),
        .target(
            name: "TrackExamples",
            dependencies: [
                "Clock", "LineProtocol", "Navigation", "OsmoProtocol", "RadioPort", "TrackFormat",
            ],
            path: "Tests/TrackExamples", swiftSettings: strict),
        tests(
            "TrackFormatTests",
            ["Clock", "Fleet", "LineProtocol", "Navigation", "TrackExamples", "TrackFormat"]),
        tests(
            "FleetTests",
            [
                "Clock", "Fleet", "LineProtocol", "Navigation", "OsmoProtocol", "RadioPort",
                "Simulation", "TrackExamples", "TrackFormat",
            ]),
        tests(
            "SimulationTests",
            [
                "Clock", "Fleet", "LineProtocol", "Navigation", "OsmoProtocol", "RadioPort",
                "Simulation",
            ]),
        tests("ReactorTests", ["Clock", "Reactor"]),
        tests("GPSDTests", ["Clock", "GPSD", "Navigation", "Reactor"]),
        tests(
            "BlueZTests",
            [
                "BlueZ", "Clock", "FakeBlueZ", "OsmoProtocol", "RadioPort", "Reactor",
                "Simulation",
            ]),
        tests(
            "DaemonTests",
            [
                "CLinux", "Clock", "Daemon", "Fleet", "LineProtocol", "Navigation",
                "OsmoProtocol", "RadioPort", "Reactor", "Service", "TrackFormat",
            ]),
        tests("MetricsTests", ["Clock", "LineProtocol", "Metrics"]),
        tests("ControlClientTests", ["Clock", "ControlClient", "LineProtocol", "Reactor"]),
        tests(
            "ControlToolTests", ["Clock", "ControlTool", "LineProtocol", "Reactor"],
            resources: [.copy("Golden")]),
        tests(
            "TrackToolsTests",
            [
                "Clock", "Fleet", "Footage", "LineProtocol", "Navigation", "TrackFormat",
                "TrackTools",
            ]),
        tests("TidyTests", []),

        // Not shipped: a measure of the heap, the cameras of the lab's virtual radio, a benchmark.
        program("heap-probe", ["CLinux", "OsmoProtocol"], path: "Tests/HeapProbe"),
        program(
            "lab-cameras",
            ["Clock", "OsmoProtocol", "Reactor", "Simulation", "SimulatorTool"],
            path: "Tests/Lab/Cameras"),
        program(
            "track-bench",
            [
                "Clock", "Daemon", "Fleet", "LineProtocol", "Navigation", "Reactor",
                "TrackFormat", "TrackTools",
            ],
            path: "Tests/Bench/Track"),
    ]
)

// `make fuzz` alone: libFuzzer's runtime is not everywhere where the programs are built.
if Context.environment["GEOTAGD_FUZZ"] != nil {
    package.targets.append(
        program(
            "geotagd-fuzz",
            [
                "Clock", "Daemon", "Fleet", "LineProtocol", "Navigation", "OsmoProtocol",
                "RadioPort", "Reactor",
            ],
            path: "Tests/Fuzz/Subjects"))
}
