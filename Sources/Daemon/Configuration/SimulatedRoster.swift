import Fleet

extension Configuration {
    /// Made-up cameras beside those that the file names, `count` in all.
    mutating func addSimulatedCameras(upTo count: Int) {
        let named = cameras.map(\.address)
        for address in SimulatedHardware.addresses(count + cameras.count)
        where cameras.count < count && !named.contains(address) {
            let taken = cameras.map(\.number)
            guard let number = (1...count).first(where: { !taken.contains($0) }) else { return }
            cameras.append(RosterEntry(name: "cam\(number)", number: number, address: address))
        }
    }
}
