import Foundation
import TestSupport

/// The elements of a page as text, in every variant. It is stored as a file in `Tests/References`.
///
/// The first variant has all its lines. Another variant has only the lines that differ from an earlier variant, with
/// their numbers, if that is shorter.
struct ReferenceText: Equatable, Sendable {
    typealias Variant = ReferenceGallery.Variant

    /// The lines of each variant.
    var variants: [Variant: [String]] = [:]

    init() {}

    /// Reads the format of `text`. Skips lines that cannot be parsed, so that the comparison then fails.
    init(_ text: String) {
        var current: Variant?
        var isDifference = false
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("## ") {
                let names = line.dropFirst(3).components(separatedBy: ": as ")
                let base = names.dropFirst().first.flatMap { ReferenceText.variant($0) }
                current = ReferenceText.variant(names[0])
                isDifference = base != nil
                if let current { variants[current] = base.flatMap { variants[$0] } ?? [] }
            } else if let current, !isDifference {
                variants[current]?.append(line)
            } else if let current {
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                guard parts.count == 2, let number = Int(parts[0]), number > 0,
                    number <= variants[current]?.count ?? 0
                else { continue }
                variants[current]?[number - 1] = parts[1]
            }
        }
    }

    private static func variant(_ name: String) -> Variant? { Variant.all.first { $0.description == name } }

    /// The content of the file.
    var text: String {
        var sections = ["# Written by scripts/make-references. Frames are in points, rounded to device pixels."]
        var written: [Variant] = []
        for variant in Variant.all {
            guard let lines = variants[variant] else { continue }
            let others = written.compactMap { other -> (name: Variant, numbers: [Int])? in
                guard let known = variants[other], known.count == lines.count else { return nil }
                return (other, lines.indices.filter { known[$0] != lines[$0] })
            }
            if let (base, numbers) = others.min(by: { $0.numbers.count < $1.numbers.count }),
                numbers.count < lines.count / 2
            {
                sections.append(
                    (["## \(variant): as \(base)"] + numbers.map { "\($0 + 1) \(lines[$0])" }).joined(separator: "\n"))
            } else {
                sections.append((["## \(variant)"] + lines).joined(separator: "\n"))
            }
            written.append(variant)
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// Describes the differences: the first `limit` lines that only `expected` or only `actual` has.
    static func differences(expected: [String], actual: [String], limit: Int = 12) -> String {
        let changes = actual.difference(from: expected).map { change in
            switch change {
            case .remove(let at, let line, _): (at: at, order: 0, text: "line \(at + 1) expected: \(line)")
            case .insert(let at, let line, _): (at: at, order: 1, text: "line \(at + 1) actual:   \(line)")
            }
        }
        let sorted = changes.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
        let rest = sorted.count > limit ? ["… and \(sorted.count - limit) more"] : []
        return (sorted.prefix(limit).map(\.text) + rest).joined(separator: "\n")
    }
}
