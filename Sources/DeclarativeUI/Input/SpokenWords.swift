@_spi(Graph) import ViewGraph

/// An element that is only drawn and has an accessibility text, such as a text or an image.
///
/// Assistive technology sees it as a passive widget, unless an element around it already includes its text.
@MainActor
protocol Spoken: Element {
    /// Adds or removes the passive widget. Called when the elements that include this element's text have changed.
    func updateVoice()
}

extension Element {
    /// Whether an element around this one includes its text: a button includes its label, and a row of a list its
    /// content.
    final var isSpokenFor: Bool {
        var element = self
        while let parent = element.parent {
            if parent.speaks(for: element) { return true }
            element = parent
        }
        return false
    }

    /// Whether an element below receives input.
    final var hasControls: Bool { children.contains { $0 is WidgetElement || $0.hasControls } }

    /// Updates this element and all elements below after a change of the elements that include their texts.
    final func updateVoices() {
        (self as? any Spoken)?.updateVoice()
        children.forEach { $0.updateVoices() }
    }

    /// The texts below this element as a label is read: its texts or, if there are none, the names of its images.
    final var spokenWords: String {
        var texts: [String] = []
        var pictures: [String] = []
        func collect(_ element: Element) {
            switch element {
            case let silent as SilentElement where silent.isSilent: return
            case let described as AccessibilityElement:
                if let label = described.label { return texts.append(label) }
            case let text as TextElement: texts.append(text.string)
            case let image as ImageElement: pictures.append(image.words)
            default: break
            }
            element.children.forEach(collect)
        }
        collect(self)
        return (texts.contains { !$0.isEmpty } ? texts : pictures).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// An element that hides itself and the drawn content below from assistive technology.
final class SilentElement: WrapperElement {
    private(set) var isSilent = true
    override func speaks(for child: Element) -> Bool { isSilent }
    func set(_ isSilent: Bool) {
        guard isSilent != self.isSilent else { return }
        self.isSilent = isSilent
        updateVoices()
        // The names of buttons around this element include the texts below.
        setNeedsLayout()
    }
}

struct SilentModifier: ElementModifier {
    let isSilent: Bool
    func makeElement() -> SilentElement { SilentElement() }
    func update(_ element: SilentElement, _ fiber: _Fiber) { element.set(isSilent) }
}

extension View {
    /// Sets whether texts, images and shapes in this view are hidden from assistive technology. Controls stay visible.
    public func accessibilityHidden(_ hidden: Bool) -> some View { elementModifier(SilentModifier(isSilent: hidden)) }
}
