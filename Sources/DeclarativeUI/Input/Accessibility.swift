import CGTK
import Foundation
import MediaCore

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
final class AccessibilityElement: WrapperElement, Describable {
    private var words = AccessibilityWords()
    /// From one around this.
    var accessibility = AccessibilityWords() { didSet { if accessibility != oldValue { apply() } } }
    private var passive: PassiveWidget?
    private weak var described: (any Describable)?

    func set(_ words: AccessibilityWords) {
        guard words != self.words else { return }
        self.words = words
        apply()
    }

    /// The only one below, through what wraps it.
    private var target: (any Describable)? {
        var element: Element? = content
        while let current = element {
            if let found = current as? any Describable { return found }
            element = (current as? WrapperElement)?.content ?? (current.children.count == 1 ? current.children.first : nil)
        }
        return nil
    }

    private func apply() {
        let all = words.with(accessibility), target = target
        if let described, described !== target { described.accessibility = AccessibilityWords() }
        described = target
        if let target {
            target.accessibility = all
        } else {
            passive?.words = all
        }
    }

    override func attached(to host: any ElementHost) {
        if target == nil { passive = PassiveWidget(host, role: GTK_ACCESSIBLE_ROLE_GROUP) }
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

extension AccessibilityWords {
    /// These, with what `other` says instead.
    func with(_ other: AccessibilityWords) -> AccessibilityWords {
        AccessibilityWords(label: other.label ?? label, value: other.value ?? value, hint: other.hint ?? hint, identifier: other.identifier ?? identifier)
    }
}

extension View {
    private func accessible(_ change: @escaping (inout AccessibilityWords) -> Void) -> some View { elementModifier(AccessibilityModifier(change: change)) }
    /// What assistive technology calls this view.
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View { accessible { $0.label = label.resolved(nil, nil) } }
    public func accessibilityLabel(_ label: Text) -> some View { accessible { $0.label = label.string } }
    @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { accessible { $0.label = String(label) } }
    /// What it stands at.
    public func accessibilityValue(_ value: LocalizedStringKey) -> some View { accessible { $0.value = value.resolved(nil, nil) } }
    public func accessibilityValue(_ value: Text) -> some View { accessible { $0.value = value.string } }
    @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { accessible { $0.value = String(value) } }
    /// What it does.
    public func accessibilityHint(_ hint: LocalizedStringKey) -> some View { accessible { $0.hint = hint.resolved(nil, nil) } }
    @_disfavoredOverload public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View { accessible { $0.hint = String(hint) } }
    /// A name for tests. GTK 4.8 hands none to AT-SPI, so it stands in brackets in the description.
    public func accessibilityIdentifier(_ identifier: String) -> some View { accessible { $0.identifier = identifier } }
}
