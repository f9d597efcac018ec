import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

struct AccessibilityModifier: ElementModifier {
    let change: (inout AccessibilityTexts) -> Void
    func makeElement() -> AccessibilityElement { AccessibilityElement() }
    func update(_ element: AccessibilityElement, _ fiber: _Fiber) {
        var texts = AccessibilityTexts()
        change(&texts)
        element.set(texts)
    }
}

/// An element that can have accessibility texts, such as a control, a text, or an image.
@MainActor
protocol Describable: Element {
    /// The texts that the app has set; they replace the element's own.
    var accessibility: AccessibilityTexts { get set }
}

/// An element that applies the app's accessibility texts to the element below it.
///
/// If no single element below can have the texts, the element adds a passive widget of its own for them.
final class AccessibilityElement: WrapperElement, Describable, AccessibleTextElement {
    private var texts = AccessibilityTexts()
    /// The texts set by an accessibility element around this one; they have precedence.
    var accessibility = AccessibilityTexts() { didSet { if accessibility != oldValue { apply() } } }
    private var passive: PassiveWidget?
    private weak var described: (any Describable)?

    func set(_ newTexts: AccessibilityTexts) {
        guard newTexts != self.texts else { return }
        let hadLabel = label != nil
        self.texts = newTexts
        apply()
        if hadLabel != (label != nil) { children.forEach { $0.updateAccessibleTexts() } }
        // The name of an element around this one, such as a button, may include this label.
        if isTextIncluded { setNeedsLayout() }
    }

    // With a label for a group of texts, the label is read in place of the texts.
    override func includesText(of child: Element) -> Bool { label != nil && target == nil && !hasControls }

    /// The label that the app has set, or nil.
    var label: String? { accessibility.label ?? texts.label }

    /// The describable element below this one, found through wrappers and elements with a single child.
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
        let all = texts.with(accessibility)
        let target = target
        if let described, described !== target { described.accessibility = AccessibilityTexts() }
        described = target
        if let target {
            target.accessibility = all
        } else {
            passive?.texts = all
        }
    }

    override func attached(to host: any ElementHost) { updateAccessibleWidget() }
    func updateAccessibleWidget() {
        if let host, target == nil, !isTextIncluded {
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
        // Elements below may have been added after this element was attached.
        apply()
        passive?.place(transform, size)
    }
}

/// The traits of a view for assistive technology. Modeled on SwiftUI's type.
///
/// GTK's controls report their own roles, so `isHeader` is the only trait.
public struct AccessibilityTraits: OptionSet, Sendable {
    /// The bit mask of traits: 1 is `isHeader`.
    public let rawValue: Int
    /// Creates a set from a bit mask. Bits other than 1 have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The trait of headings, which screen readers can navigate by. Applies to the texts in the view.
    public static let isHeader = AccessibilityTraits(rawValue: 1)
}

private struct HeadingKey: EnvironmentKey { static let defaultValue = false }
extension EnvironmentValues {
    /// Whether texts are headings.
    var isHeading: Bool {
        get { self[HeadingKey.self] }
        set { self[HeadingKey.self] = newValue }
    }
}

extension AccessibilityTexts {
    /// Returns these texts, each replaced by the text of the same kind in `other` if `other` has one.
    func with(_ other: AccessibilityTexts) -> AccessibilityTexts {
        AccessibilityTexts(
            label: other.label ?? label, value: other.value ?? value, hint: other.hint ?? hint,
            identifier: other.identifier ?? identifier)
    }
}

extension View {
    private func accessible(_ change: @escaping (inout AccessibilityTexts) -> Void) -> some View {
        elementModifier(AccessibilityModifier(change: change))
    }
    /// Sets the name of this view for assistive technology. The name is looked up in the app's translations.
    ///
    /// ```swift
    /// Button { player.pause() } label: { Image(systemName: "pause.fill") }
    ///     .accessibilityLabel("Pause")
    /// ```
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View {
        accessible { $0.label = label.resolved(nil, nil) }
    }
    /// Sets the name of this view for assistive technology to the string of a text.
    public func accessibilityLabel(_ label: Text) -> some View { accessible { $0.label = label.string } }
    /// Sets the name of this view for assistive technology, without translation.
    @_disfavoredOverload public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View {
        accessible { $0.label = String(label) }
    }
    /// Sets the value of this view for assistive technology. The value is looked up in the app's translations.
    public func accessibilityValue(_ value: LocalizedStringKey) -> some View {
        accessible { $0.value = value.resolved(nil, nil) }
    }
    /// Sets the value of this view for assistive technology to the string of a text.
    public func accessibilityValue(_ value: Text) -> some View { accessible { $0.value = value.string } }
    /// Sets the value of this view for assistive technology, without translation.
    @_disfavoredOverload public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View {
        accessible { $0.value = String(value) }
    }
    /// Adds accessibility traits to this view.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        transformEnvironment(\.isHeading) { $0 = $0 || traits.contains(.isHeader) }
    }
    /// Describes for assistive technology what this view does. The description is looked up in the app's translations.
    public func accessibilityHint(_ hint: LocalizedStringKey) -> some View {
        accessible { $0.hint = hint.resolved(nil, nil) }
    }
    /// Describes for assistive technology what this view does, with the string of a text.
    public func accessibilityHint(_ hint: Text) -> some View { accessible { $0.hint = hint.string } }
    /// Describes for assistive technology what this view does, without translation.
    @_disfavoredOverload public func accessibilityHint<S: StringProtocol>(_ hint: S) -> some View {
        accessible { $0.hint = String(hint) }
    }
    /// Sets a name by which tests find this view.
    ///
    /// GTK 4.8 passes no identifiers to AT-SPI, so the name is appended in brackets to the description.
    public func accessibilityIdentifier(_ identifier: String) -> some View { accessible { $0.identifier = identifier } }
    /// Sets the name of this view for assistive technology. This is an older name of `accessibilityLabel(_:)`.
    public func accessibility(label: Text) -> some View { accessibilityLabel(label) }
    /// Sets the value of this view for assistive technology. This is an older name of `accessibilityValue(_:)`.
    public func accessibility(value: Text) -> some View { accessibilityValue(value) }
    /// Describes for assistive technology what this view does. This is an older name of `accessibilityHint(_:)`.
    public func accessibility(hint: Text) -> some View { accessibilityHint(hint) }
    /// Sets a name by which tests find this view. This is an older name of `accessibilityIdentifier(_:)`.
    public func accessibility(identifier: String) -> some View { accessibilityIdentifier(identifier) }
    /// Sets whether this view is hidden from assistive technology. This is an older name of `accessibilityHidden(_:)`.
    public func accessibility(hidden: Bool) -> some View { accessibilityHidden(hidden) }
    /// Adds accessibility traits. This is an older name of `accessibilityAddTraits(_:)`.
    public func accessibility(addTraits traits: AccessibilityTraits) -> some View { accessibilityAddTraits(traits) }
}
