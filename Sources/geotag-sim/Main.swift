import SimulatorTool

/// `geotag-sim`: everything that stands in for hardware.
@main enum Main {
    static func main() { SimulatorCommand.main() }
}
