package import Service

extension Configuration {
    /// Reads a configuration file over what `defaults` says.
    ///
    /// - Parameter mayBeMissing: whether nothing there means nothing configured.
    package static func load(
        _ path: String, defaults: Configuration = Configuration(), mayBeMissing: Bool
    ) throws(ConfigurationFileFault) -> Configuration {
        let bytes = try ConfigurationFile.read(path, mayBeMissing: mayBeMissing)
        guard let bytes else { return defaults }
        let (configuration, faults) = read(bytes, defaults: defaults)
        guard faults.isEmpty else { throw .wrong(path: path, faults) }
        return configuration
    }
}
