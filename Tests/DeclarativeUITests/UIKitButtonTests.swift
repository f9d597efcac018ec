import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

extension UIButton {
    /// Lays out the button and shows its content in a size.
    fileprivate func stage(_ width: CGFloat = 200, _ height: CGFloat = 60) -> Stage {
        layoutIfNeeded()
        let label = titleLabel?.look ?? ControlValues(UILabel.Look())
        let picture = imageView?.look ?? ControlValues(UIImageView.Look())
        return Stage(width, height) { ButtonContent(button: self, look: look, label: label, picture: picture) }
    }
    fileprivate var texts: [String] { stage().texts }
    fileprivate func shows<E: Element>(_ type: E.Type) -> Bool { stage().elements.contains { $0 is E } }
}

@MainActor @Suite("UIKit's buttons")
struct UIKitButtonTests {
    private let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    private let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)

    @Test("each state has its title, or the normal one")
    func titles() {
        let button = UIButton(frame: .zero)
        button.setTitle("Play", for: .normal)
        button.setTitle("Pause", for: .selected)
        button.setTitleColor(red, for: .selected)
        #expect(button.texts == ["Play"] && button.currentTitleColor == .white)
        button.isSelected = true
        #expect(button.texts == ["Pause"] && button.currentTitle == "Pause" && button.currentTitleColor == red)
        button.isEnabled = false
        #expect(button.texts == ["Play"] && button.title(for: [.selected, .disabled]) == "Play")
        button.isEnabled = true
        button.setTitle(nil, for: .selected)
        #expect(button.texts == ["Play"] && button.titleLabel?.text == "Play")
    }

    @Test(
        "content at the left stays there in both layout directions",
        arguments: [LayoutDirection.leftToRight, .rightToLeft])
    func sides(direction: LayoutDirection) throws {
        let button = UIButton(type: .system)
        button.setTitle("Play", for: .normal)
        for (alignment, isAtLeft) in [
            (UIControl.ContentHorizontalAlignment.left, true), (.right, false), (.leading, direction == .leftToRight),
        ] {
            button.contentHorizontalAlignment = alignment
            button.layoutIfNeeded()
            let label = button.titleLabel?.look ?? ControlValues(UILabel.Look())
            let picture = button.imageView?.look ?? ControlValues(UIImageView.Look())
            let stage = Stage(200, 60) {
                ButtonContent(button: button, look: button.look, label: label, picture: picture)
                    .environment(\.layoutDirection, direction)
            }
            let frame = try #require(stage.elements.first { $0 is TextElement }).frameInHost
            #expect((frame.midX < 100) == isAtLeft, "\(alignment): \(frame)")
        }
    }

    @Test("a press highlights, sends touchDown, and then the click")
    func press() {
        let button = UIButton(type: .system)
        var sent: [String] = []
        for (name, event) in [
            ("down", .touchDown), ("up", .touchUpInside), ("primary", .primaryActionTriggered),
        ] as [(String, UIControl.Event)] {
            button.addAction(
                UIAction { action in sent.append("\(name) \(action.sender as? UIButton === button)") }, for: event)
        }
        button.setTitle("Play", for: .normal)
        button.setTitle("Pressed", for: .highlighted)
        button.pressed(true)
        #expect(button.isHighlighted && button.state == .highlighted && button.texts == ["Pressed"])
        button.clicked()
        button.pressed(false)
        #expect(!button.isHighlighted && button.texts == ["Play"])
        #expect(sent == ["down true", "up true", "primary true"])
    }

    @Test("a press without a click ends with touchUpOutside, once")
    func outside() async {
        let button = UIButton(type: .system)
        var sent: [String] = []
        for (name, event) in [
            ("down", .touchDown), ("up", .touchUpInside), ("outside", .touchUpOutside), ("cancel", .touchCancel),
        ] as [(String, UIControl.Event)] {
            button.addAction(UIAction { _ in sent.append(name) }, for: event)
        }
        button.pressed(true)
        button.pressed(false)
        #expect(sent == ["down"] && !button.isHighlighted)
        #expect(await eventually("touchUpOutside") { sent.count > 1 })
        // The next press ends the one before.
        for _ in 0..<2 {
            button.pressed(true)
            button.pressed(false)
        }
        button.clicked()
        button.pressed(true)
        button.tintColor = red
        button.pressed(true)
        button.clicked()
        button.pressed(false)
        var isLater = false
        OnMain.later { isLater = true }
        #expect(await eventually("a later iteration of the main loop") { isLater })
        #expect(sent == ["down", "outside", "down", "outside", "down", "up", "down", "cancel", "down", "up"])
    }

    @Test("a subclass observes isHighlighted")
    func highlight() {
        final class Watching: UIButton {
            var seen: [Bool] = []
            override var isHighlighted: Bool { didSet { seen.append(isHighlighted) } }
        }
        let button = Watching(frame: .zero)
        button.pressed(true)
        button.pressed(true)
        button.pressed(false)
        #expect(button.seen == [true, false])
    }

    @Test("a new tint color ends a press")
    func tintDuringPress() {
        let button = UIButton(type: .system)
        button.pressed(true)
        button.tintColor = red
        #expect(!button.isTracking && !button.isHighlighted)
    }

    @Test("a button shows the title and image of its primary action")
    func primaryAction() throws {
        var count = 0
        let image = try #require(UIImage(systemName: "heart"))
        let action = UIAction(title: "Like", image: image) { _ in count += 1 }
        for button in [
            UIButton(type: .custom, primaryAction: action), UIButton(primaryAction: action),
            UIButton(frame: .zero, primaryAction: action), UIButton(configuration: .plain(), primaryAction: action),
        ] {
            #expect(button.texts == ["Like"] && button.currentImage == image)
            #expect(button.shows(ImageElement.self))
            button.clicked()
        }
        #expect(count == 4)
        #expect(UIButton(primaryAction: action).buttonType == .system)
    }

    @Test("the system type has the tint color, the custom type is white")
    func tint() {
        let parent = UIView()
        let (system, custom) = (UIButton(type: .system), UIButton(type: .custom))
        for button in [system, custom] { parent.addSubview(button) }
        #expect(system.currentTitleColor == .tintColor && custom.currentTitleColor == .white)
        parent.tintColor = red
        #expect(system.currentTitleColor == red && custom.currentTitleColor == .white)
        system.setTitleColor(blue, for: .normal)
        #expect(system.currentTitleColor == blue)
    }

    @Test("fonts of titleLabel, insets and titles change the size")
    func size() {
        let button = UIButton(type: .system)
        button.setTitle("Play", for: .normal)
        let small = button.intrinsicContentSize
        #expect(small.width > 0 && small.height > 0)
        button.contentEdgeInsets = UIEdgeInsets(top: 5, left: 10, bottom: 5, right: 20)
        #expect(button.intrinsicContentSize == CGSize(width: small.width + 30, height: small.height + 10))
        button.contentEdgeInsets = .zero
        button.titleLabel?.font = .boldSystemFont(ofSize: 40)
        #expect(button.intrinsicContentSize.height > small.height * 1.5)
        button.sizeToFit()
        #expect(button.bounds.size == button.intrinsicContentSize)
        button.setTitle(nil, for: .normal)
        #expect(button.intrinsicContentSize.width == 0)
    }

    @Test("constraints follow the size of a new title")
    func constraints() {
        let parent = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 100))
        let button = UIButton(type: .system)
        button.translatesAutoresizingMaskIntoConstraints = false
        parent.addSubview(button)
        NSLayoutConstraint.activate([
            button.leadingAnchor.constraint(equalTo: parent.leadingAnchor),
            button.topAnchor.constraint(equalTo: parent.topAnchor),
        ])
        button.setTitle("Play", for: .normal)
        parent.layoutIfNeeded()
        let narrow = button.frame.width
        button.setTitle("Play it once more", for: .normal)
        parent.layoutIfNeeded()
        #expect(
            narrow > 0 && button.frame.width > narrow
                && abs(button.frame.width - button.intrinsicContentSize.width) < 0.01)
    }

    @Test(
        "a configuration places image, title and subtitle",
        arguments: [NSDirectionalRectEdge.leading, .trailing, .top, .bottom])
    func placement(edge: NSDirectionalRectEdge) throws {
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Play"
        configuration.subtitle = "from the start"
        configuration.image = UIImage(systemName: "play.fill")
        configuration.imagePlacement = edge
        configuration.imagePadding = 12
        let button = UIButton(configuration: configuration)
        let stage = button.stage(300, 150)
        let elements = stage.elements
        let image = try #require(elements.first { $0 is ImageElement }).frameInHost
        let texts = elements.compactMap { $0 as? TextElement }
        try #require(texts.map(\.string) == ["Play", "from the start"])
        let (title, subtitle) = (texts[0].frameInHost, texts[1].frameInHost)
        #expect(abs(subtitle.minY - title.maxY - 1) < 0.6)
        let both = title.union(subtitle)
        let distance: CGFloat =
            switch edge {
            case .leading: both.minX - image.maxX
            case .trailing: image.minX - both.maxX
            case .top: both.minY - image.maxY
            default: image.minY - both.maxY
            }
        #expect(abs(distance - 12) < 0.6, "\(image) \(both)")
    }

    @Test("content insets surround a configuration's contents")
    func insets() {
        var configuration = UIButton.Configuration.plain()
        configuration.title = "Play"
        configuration.contentInsets = .zero
        let button = UIButton(configuration: configuration)
        let bare = button.intrinsicContentSize
        button.configuration?.contentInsets = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        #expect(button.intrinsicContentSize == CGSize(width: bare.width + 6, height: bare.height + 4))
        button.configuration?.setDefaultContentInsets()
        #expect(button.intrinsicContentSize == CGSize(width: bare.width + 24, height: bare.height + 14))
        button.configuration?.buttonSize = .large
        #expect(button.intrinsicContentSize == CGSize(width: bare.width + 40, height: bare.height + 30))
    }

    @Test("the styles have their own colors for each state")
    func colors() {
        let tint = UIColor(red: 0, green: 0, blue: 0.5, alpha: 1)
        func ground(_ configuration: UIButton.Configuration, _ state: UIControl.State = .normal) -> UIColor {
            configuration.colors(for: state, tint: tint).background
        }
        #expect(ground(.plain()) == .clear && ground(.filled()) == tint)
        #expect(ground(.tinted()) == tint.withAlphaComponent(0.2) && ground(.gray()) == .secondarySystemFill)
        #expect(ground(.filled(), .disabled) == .tertiarySystemFill && ground(.plain(), .selected) == ground(.tinted()))
        #expect(ground(.gray(), .selected) == tint)
        var own = UIButton.Configuration.filled()
        own.automaticallyUpdateForSelection = false
        own.baseBackgroundColor = .systemRed
        own.baseForegroundColor = .systemYellow
        let colors = own.colors(for: .selected, tint: tint)
        #expect(colors.background == .systemRed && colors.foreground == .systemYellow)
        own.background.backgroundColor = .black
        #expect(own.colors(for: .normal, tint: tint).background == .black)
        #expect(UIButton.Configuration.plain().colors(for: .normal, tint: tint).foreground == tint)
        // White on dark blue, black on yellow.
        let text = UIButton.Configuration.filled().colors(for: .normal, tint: tint).foreground
        #expect(text.color.resolved(dark: false, accent: nil).red == 1)
        let onYellow = UIButton.Configuration.filled().colors(for: .normal, tint: .yellow).foreground
        #expect(onYellow.color.resolved(dark: false, accent: nil).red == 0)
    }

    @Test("the background fills the button, with the corners of the style")
    func background() {
        var configuration = UIButton.Configuration.filled()
        configuration.baseBackgroundColor = red
        configuration.cornerStyle = .capsule
        let button = UIButton(configuration: configuration)
        #expect(button.stage().pixel(3, 30) == [255, 0, 0, 255] && button.stage().pixel(5, 3) == [0, 0, 0, 0])
        button.configuration?.cornerStyle = .fixed
        button.configuration?.background.cornerRadius = 0
        #expect(button.stage().pixel(1, 1) == [255, 0, 0, 255])
        button.configuration?.background.strokeColor = blue
        button.configuration?.background.strokeWidth = 4
        #expect(button.stage().pixel(1, 30) == [0, 0, 255, 255] && button.stage().pixel(20, 30) == [255, 0, 0, 255])
    }

    @Test("setTitle for normal replaces a configuration's title, other states override it")
    func configuredTitles() {
        var configuration = UIButton.Configuration.gray()
        configuration.title = "Play"
        let button = UIButton(configuration: configuration)
        button.setTitle("Pause", for: .selected)
        #expect(button.texts == ["Play"])
        button.isSelected = true
        #expect(button.texts == ["Pause"])
        button.isSelected = false
        #expect(button.texts == ["Play"])
        button.setTitle("Again", for: .normal)
        #expect(button.texts == ["Again"] && button.configuration?.title == "Again")
        button.configuration = nil
        #expect(button.texts == ["Again"])
    }

    @Test("the update handler changes the configuration for the state, once each")
    func updateHandler() {
        let button = UIButton(configuration: .plain())
        var calls = 0
        button.configurationUpdateHandler = { button in
            calls += 1
            button.configuration?.title = button.isSelected ? "On" : "Off"
        }
        #expect(button.texts == ["Off"] && calls == 1)
        button.isSelected = true
        #expect(button.texts == ["On"] && calls == 2)
        button.automaticallyUpdatesConfiguration = false
        button.isSelected = false
        #expect(button.texts == ["On"] && calls == 2)
        button.setNeedsUpdateConfiguration()
        #expect(button.texts == ["Off"] && calls == 3)
    }

    @Test("a symbol has the title's size, or less in a smaller button")
    func symbolSize() throws {
        let button = UIButton(type: .system)
        button.setImage(UIImage(systemName: "rectangle"), for: .normal)
        func size(_ side: CGFloat) throws -> CGSize {
            try #require(button.stage(side, side).elements.first { $0 is ImageElement }).frame.size
        }
        #expect(try size(60) == CGSize(width: 18, height: 18) && size(10) == CGSize(width: 10, height: 10))
        // A symbol that fills the button has no space around it.
        (button.contentHorizontalAlignment, button.contentVerticalAlignment) = (.fill, .fill)
        button.imageView?.contentMode = .scaleAspectFit
        let fitted = try size(60)
        #expect(abs(fitted.width - 60) < 0.5 && fitted.height < 55)
    }

    @Test("a spinner replaces the image")
    func spinner() {
        var configuration = UIButton.Configuration.plain()
        configuration.image = UIImage(systemName: "play.fill")
        let button = UIButton(configuration: configuration)
        #expect(button.shows(ImageElement.self))
        button.configuration?.showsActivityIndicator = true
        #expect(!button.shows(ImageElement.self))
    }

    @Test("a menu opens by a click, or by a secondary click")
    func menu() throws {
        let button = UIButton(type: .system)
        button.setTitle("More", for: .normal)
        button.menu = UIMenu(children: [UIAction(title: "Share") { _ in }, UIAction(title: "Delete") { _ in }])
        #expect(button.shows(ButtonElement.self))
        #expect(button.shows(ContextMenuElement.self))
        button.showsMenuAsPrimaryAction = true
        let stage = button.stage()
        let menu = try #require(stage.elements.first { $0 is MenuElement } as? MenuElement)
        #expect(menu.entries.count == 2 && menu.frame.size == CGSize(width: 200, height: 60))
        #expect(!button.shows(ButtonElement.self) && button.texts == ["More"])
        button.menu = nil
        #expect(button.shows(ButtonElement.self))
    }

    @Test("the alignment moves the content to an edge")
    func alignment() throws {
        let button = UIButton(type: .system)
        button.setTitle("Play", for: .normal)
        func frame() throws -> CGRect {
            let stage = button.stage()
            return try #require(stage.elements.first { $0 is TextElement }).frameInHost
        }
        #expect(try abs(frame().midX - 100) < 1)
        button.contentHorizontalAlignment = .trailing
        button.contentVerticalAlignment = .bottom
        #expect(try frame().maxX > 199 && frame().maxY > 59)
        button.contentHorizontalAlignment = .left
        #expect(try frame().minX < 1)
    }

    @Test("a button draws its image in the content mode of imageView")
    func imageView() throws {
        let image = try UIImage.solid(200, 100)
        let button = UIButton(type: .custom)
        button.setImage(image, for: .normal)
        #expect(button.imageView?.image === image && button.intrinsicContentSize == CGSize(width: 200, height: 100))
        func frame() throws -> CGRect {
            let stage = button.stage(50, 50)
            stage.layOut()
            return try #require(stage.elements.first { $0 is ImageElement }).frameInHost
        }
        #expect(try frame() == CGRect(x: 0, y: 0, width: 50, height: 50))
        button.imageView?.contentMode = .scaleAspectFit
        let fitting = try frame()
        #expect(fitting.width == 50 && fitting.height == 25 && abs(fitting.midY - 25) < 1, "\(fitting)")
        let small = try UIImage.solid(10, 5)
        button.setImage(small, for: .selected)
        button.isSelected = true
        #expect(button.imageView?.image === small)
        #expect(try frame().size == CGSize(width: 10, height: 5))
        button.contentHorizontalAlignment = .fill
        button.contentVerticalAlignment = .fill
        #expect(try frame().size == CGSize(width: 50, height: 25))
    }

    @Test("a tint color of imageView overrides that of the button")
    func imageTint() throws {
        let button = UIButton(type: .system)
        button.setImage(try UIImage.solid(200, 60), for: .normal)
        button.tintColor = red
        #expect(button.stage().pixel(100, 30) == [255, 0, 0, 255])
        button.imageView?.tintColor = blue
        #expect(button.stage().pixel(100, 30) == [0, 0, 255, 255])
        let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
        button.setImage(
            try UIImage.solid(200, 60).withTintColor(green, renderingMode: .alwaysOriginal), for: .normal)
        #expect(button.stage().pixel(100, 30) == [0, 255, 0, 255])
    }

    @Test("a disabled button is insensitive and keeps its color for the state")
    func disabled() throws {
        let button = UIButton(type: .custom)
        button.setTitle("Off", for: .normal)
        button.setTitleColor(red, for: .disabled)
        button.isEnabled = false
        let stage = button.stage()
        let element = try #require(stage.elements.first { $0 is ButtonElement } as? ButtonElement)
        #expect(!element.isEnabled && button.currentTitleColor == red)
        button.isEnabled = true
        stage.layOut()
        #expect(element.isEnabled)
    }
}

/// Tests of UIKit's buttons in a window, by pointer and keys.
@Suite("UIKit's buttons in a window", .serialized)
struct UIKitButtonWindowTests {
    @Test("clicks, Space, Return and Tab work, menus open, disabled buttons ignore clicks")
    func buttons() async throws {
        let probe = try await ControlProbe(["uikit"])
        #expect(try await probe.shows([255, 0, 0], "panel", 0.55, 0.16))
        try probe.click("panel", 0.25, 0.16)
        try await probe.expect("play=touchUpInside")
        try probe.key("space")
        try await probe.expect("play=touchUpInside")
        try probe.key("Tab", "Return")
        try await probe.expect("filled=primary")
        try probe.click("panel", 0.75, 0.66)
        try probe.click("panel", 0.75, 0.16)
        try await probe.expect("filled=primary")
        #expect(!probe.said.contains("off=touchUpInside"))
        // The press begins in the button and ends below it.
        try probe.drag("panel", from: (0.25, 0.16), to: (0.25, 0.95))
        try await probe.expect("play=touchDown")
        try await probe.expect("play=touchUpOutside")
        let closed = try probe.display.screenshot()
        try probe.click("panel", 0.25, 0.66)
        #expect(
            try await probe.comes {
                try probe.display.screenshot().differences(from: closed, x: 0..<480, y: 0..<600) >= 4000
            })
        try probe.key("Down", "Return")
        try await probe.expect("chose=second")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
