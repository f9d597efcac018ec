@_spi(Graph) import ViewGraph

/// An element that is only drawn and has an accessibility text, such as a text or an image.
///
/// Assistive technology sees it as a passive widget, unless an element around it already includes its text.
@MainActor
protocol AccessibleTextElement: Element {
    /// Adds or removes the passive widget. Called when the elements that include this element's text have changed.
    func updateAccessibleWidget()
}

extension Element {
    /// Whether an element around this one includes its text: a button includes its label, and a row of a list its
    /// content.
    final var isTextIncluded: Bool {
        var element = self
        while let parent = element.parent {
            if parent.includesText(of: element) { return true }
            element = parent
        }
        return false
    }

    /// Whether an element below receives input.
    final var hasControls: Bool { children.contains { $0 is WidgetElement || $0.hasControls } }

    /// Updates this element and all elements below after a change of the elements that include their texts.
    final func updateAccessibleTexts() {
        (self as? any AccessibleTextElement)?.updateAccessibleWidget()
        children.forEach { $0.updateAccessibleTexts() }
    }

    /// The text that a screen reader reads for this element: its texts or, if there are none, the names of its images.
    final var spokenText: String {
        var texts: [String] = []
        var imageNames: [String] = []
        func collect(_ element: Element) {
            switch element {
            case let silent as AccessibilityHiddenElement where silent.isAccessibilityHidden: return
            case let described as AccessibilityElement:
                if let label = described.label { return texts.append(label) }
            case let text as TextElement: texts.append(text.string)
            case let image as ImageElement: imageNames.append(image.accessibleName)
            default: break
            }
            element.children.forEach(collect)
        }
        collect(self)
        return (texts.contains { !$0.isEmpty } ? texts : imageNames).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// An element that hides itself and the drawn content below from assistive technology.
final class AccessibilityHiddenElement: WrapperElement {
    private(set) var isAccessibilityHidden = true
    override func includesText(of child: Element) -> Bool { isAccessibilityHidden }
    func set(_ isAccessibilityHidden: Bool) {
        guard isAccessibilityHidden != self.isAccessibilityHidden else { return }
        self.isAccessibilityHidden = isAccessibilityHidden
        updateAccessibleTexts()
        // The names of buttons around this element include the texts below.
        setNeedsLayout()
    }
}

struct AccessibilityHiddenModifier: ElementModifier {
    let isAccessibilityHidden: Bool
    func makeElement() -> AccessibilityHiddenElement { AccessibilityHiddenElement() }
    func update(_ element: AccessibilityHiddenElement, _ fiber: _Fiber) { element.set(isAccessibilityHidden) }
}

extension View {
    /// Sets whether texts, images and shapes in this view are hidden from assistive technology. Controls stay visible.
    public func accessibilityHidden(_ hidden: Bool) -> some View {
        elementModifier(AccessibilityHiddenModifier(isAccessibilityHidden: hidden))
    }
}
