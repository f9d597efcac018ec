import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

struct AccessibilityModifier: ElementModifier {
    let change: (inout AccessibilityWords) -> Void
    func makeElement() -> AccessibilityElement { AccessibilityElement() }
    func update(_ element: AccessibilityElement, _ fiber: _Fiber) {
        var words = AccessibilityWords()
        change(&words)
        element.set(words)
    }
}

/// What can be given words: a control, a text, a picture, or what gives words itself.
@MainActor
protocol Describable: Element {
    /// Said instead of what it says of itself.
    var accessibility: AccessibilityWords { get set }
}

/// Gives words to what is below, or to a passive widget of its own when nothing there can have them.
final class AccessibilityElement: WrapperElement, Describable, Spoken {
    private var words = AccessibilityWords()
    /// From one around this.
    var accessibility = AccessibilityWords() { didSet { if accessibility != oldValue { apply() } } }
    private var passive: PassiveWidget?
    private weak var described: (any Describable)?

    func set(_ words: AccessibilityWords) {
        guard words != self.words else { return }
        let hadLabel = label != nil
        self.words = words
        apply()
        if hadLabel != (label != nil) { children.forEach { $0.updateVoices() } }
        // What is around may say this instead.
        if isSpokenFor { setNeedsLayout() }
    }

    // Several texts that the app calls by one name.
    override func speaks(for child: Element) -> Bool { label != nil && target == nil && !hasControls }

    /// What it is called, if the app says so.
    var label: String? { accessibility.label ?? words.label }

    /// The only one below, through what wraps it.
    private var target: (any Describable)? {
        var element: Element? = content
        while let current = element {
            if let found = current as? any Describable { return found }
            element =
                (current as? WrapperElement)?.content ?? (current.children.count == 1 ? current.children.first : nil)
        }
        return nil
    }

    private func apply() {
        let all = words.with(accessibility)
        let target = target
        if let described, described !== target { described.accessibility = AccessibilityWords() }
        described = target
        if let target {
            target.accessibility = all
        } else {
            passive?.words = all
        }
    }

    override func attached(to host: any ElementHost) { updateVoice() }
    func updateVoice() {
        if let host, target == nil, !isSpokenFor {
            if passive == nil { passive = PassiveWidget(host, role: GTK_ACCESSIBLE_ROLE_GROUP) }
        } else {
            passive?.remove()
            passive = nil
        }
        apply()
    }
    override func detached(from host: any ElementHost) {
        passive?.remove()
        passive = nil
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        // What stands below may have come after this was attached.
        apply()
        passive?.place(transform, size)
    }
}

/// What a view is. SwiftUI's type; GTK's controls say by themselves what they are, so only headings need to be named.
public struct AccessibilityTraits: OptionSet, Sendable {
    /// One bit a trait; 1 is `isHeader`.
    public let rawValue: Int
    /// Makes a set of raw bits; bits other than 1 mean nothing.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Texts below are headings, which one can go from one to the next.
    public static let isHeader = AccessibilityTraits(rawValue: 1)
}

private struct HeadingKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    /// Texts are headings.
    var isHeading: Bool {
        get { self[HeadingKey.self] }
        set { self[HeadingKey.self] = newValue }
    }
}

extension AccessibilityWords {
    /// These, with what `other` says instead.
    func with(_ other: AccessibilityWords) -> AccessibilityWords {
        AccessibilityWords(
            label: other.label ?? label, value: other.value ?? value, hint: other.hint ?? hint,
            identifier: other.identifier ?? identifier)
    }
}

extension View {
    private func accessible(_ change: @escaping (inout AccessibilityWords) -> Void) -> some View {
        elementModifier(AccessibilityModifier(change: change))
    }
    /// What assistive technology calls this view.
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View {
        accessible { $0.label = label.resolved(nil, nil) }
    }
    /// What assistive technology calls this view: the words of a text.
    public func accessibilityLabel(_ label: Text) -> some View { accessible { $0.label = label.string } }
    /// What assistive technology calls this view, said as it is.
    @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        accessible { $0.label = String(label) }
    }
    /// What it stands at.
    public func accessibilityValue(_ value: LocalizedStringKey) -> some View {
        accessible { $0.value = value.resolved(nil, nil) }
    }
    /// What it stands at: the words of a text.
    public func accessibilityValue(_ value: Text) -> some View { accessible { $0.value = value.string } }
    /// What it stands at, said as it is.
    @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        accessible { $0.value = String(value) }
    }
    /// What it is, besides what it looks like.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        transformEnvironment(\.isHeading) { $0 = $0 || traits.contains(.isHeader) }
    }
    /// What it does.
    public func accessibilityHint(_ hint: LocalizedStringKey) -> some View {
        accessible { $0.hint = hint.resolved(nil, nil) }
    }
    /// What it does: the words of a text.
    public func accessibilityHint(_ hint: Text) -> some View { accessible { $0.hint = hint.string } }
    /// What it does, said as it is.
    @_disfavoredOverload public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View {
        accessible { $0.hint = String(hint) }
    }
    /// A name for tests. GTK 4.8 hands none to AT-SPI, so it stands in brackets in the description.
    public func accessibilityIdentifier(_ identifier: String) -> some View { accessible { $0.identifier = identifier } }
}
