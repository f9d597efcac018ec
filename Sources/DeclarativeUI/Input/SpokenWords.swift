@_spi(Graph) import ViewGraph

/// What is only drawn and has words: a text, a picture, what gives words itself. Assistive technology sees it as a
/// passive widget, unless something around it says the same.
@MainActor
protocol Spoken: Element {
    /// It may be seen, or no longer: what speaks for it has changed.
    func updateVoice()
}

extension Element {
    /// Something around it says what it says: a button what its label says, a row of a list what stands in it.
    final var isSpokenFor: Bool {
        var element = self
        while let parent = element.parent {
            if parent.speaks(for: element) { return true }
            element = parent
        }
        return false
    }

    /// Something below takes input.
    final var hasControls: Bool { children.contains { $0 is WidgetElement || $0.hasControls } }

    /// Who speaks for whom has changed at this element.
    final func updateVoices() {
        (self as? any Spoken)?.updateVoice()
        children.forEach { $0.updateVoices() }
    }

    /// The words below, as a label is read out: its texts, or, without any, what its pictures are called.
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

/// Says nothing, nor does what is drawn below it.
final class SilentElement: WrapperElement {
    private(set) var isSilent = true
    override func speaks(for child: Element) -> Bool { isSilent }
    func set(_ isSilent: Bool) {
        guard isSilent != self.isSilent else { return }
        self.isSilent = isSilent
        updateVoices()
        // The names of buttons around are made of what is below.
        setNeedsLayout()
    }
}

struct SilentModifier: ElementModifier {
    let isSilent: Bool
    func makeElement() -> SilentElement { SilentElement() }
    func update(_ element: SilentElement, _ fiber: _Fiber) { element.set(isSilent) }
}

extension View {
    /// Hides what is drawn here (texts, pictures, shapes) from assistive technology; controls keep their words.
    public func accessibilityHidden(_ hidden: Bool) -> some View { elementModifier(SilentModifier(isSilent: hidden)) }
}
