/// One metric with all its samples.
package struct MetricFamily: Equatable, Sendable {
    /// What kind of number it is.
    package enum Kind: String, Sendable {
        case gauge, counter, info
    }

    /// One number, and what it belongs to.
    package struct Sample: Equatable, Sendable {
        /// Label and value; at most one label, so that the number of series stays small.
        package var label: (name: String, value: String)?
        /// The number as it is written.
        package var value: String

        /// A sample of `label`, or of the whole rig.
        package init(label: (name: String, value: String)? = nil, value: String) {
            self.label = label
            self.value = value
        }

        /// Equal where both label and number are.
        package static func == (left: Sample, right: Sample) -> Bool {
            left.label?.name == right.label?.name && left.label?.value == right.label?.value
                && left.value == right.value
        }
    }

    /// Without `_total` or `_info`: both formats name a counter's samples with it.
    package let name: String
    /// Which kind of number.
    package let kind: Kind
    /// One sentence for people.
    package let help: String
    /// Empty where nothing is known.
    package var samples: [Sample]

    /// The name of its samples.
    package var sampleName: String {
        switch kind {
        case .gauge: name
        case .counter: name + "_total"
        case .info: name + "_info"
        }
    }
}
