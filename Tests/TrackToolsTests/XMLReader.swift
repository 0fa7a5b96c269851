import Foundation
import FoundationXML

/// Counts elements and collects their texts.
final class XMLReader: NSObject, XMLParserDelegate {
    private(set) var isWellFormed = false
    private(set) var elements: [String: Int] = [:]
    private(set) var texts: [String: [String]] = [:]
    private var text = ""

    init(_ document: String) {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements[name, default: 0] += 1
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        texts[name, default: []].append(text)
    }
}
