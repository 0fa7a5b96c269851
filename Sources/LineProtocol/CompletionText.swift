/// The part of the shells' completions that follows from the verbs: the same text in bash and zsh.
///
/// It stands in `contrib/completions` between two marks; a test holds it to what is made here.
package enum CompletionText {
    /// The mark in the completion file above the block.
    package static let begin = "# The verbs and their arguments, as Verb.swift declares them."
    /// The mark in the completion file below the block.
    package static let end = "# End of the verbs."

    /// With both marks, each line with its LF.
    package static var block: String {
        var lines = [begin, "_geotagctl_verbs() {"]
        var line = "    printf '%s\\n'"
        for verb in Verb.all {
            if line.count + verb.name.count + 3 > 96 {
                lines.append(line + " \\")
                line = "       "
            }
            line += " " + verb.name
        }
        lines += [line, "}", "_geotagctl_argument() {", "    case $1:$2 in"]
        for verb in Verb.all {
            for (index, parameter) in verb.parameters.enumerated() {
                guard let completion = parameter.completion else { continue }
                lines.append("    \(verb.name):\(index + 1)) echo '\(completion)' ;;")
            }
        }
        lines += ["    esac", "}", end]
        return lines.map { $0 + "\n" }.joined()
    }
}
