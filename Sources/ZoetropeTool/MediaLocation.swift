import Foundation

/// What is named on the command line: a URL where it is written as one (`https://…`, `file:///…`), else a path.
enum MediaLocation {
    static func url(_ text: String) -> URL {
        guard let mark = text.range(of: "://"), text[..<mark.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }),
              let url = URL(string: text), url.scheme != nil else { return URL(fileURLWithPath: text) }
        return url
    }
}
