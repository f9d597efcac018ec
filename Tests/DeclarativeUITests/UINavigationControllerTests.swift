import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor @Suite("UIKit's navigation controllers")
struct UINavigationControllerTests {
    private final class Page: UIViewController {
        var events: [String] = []
        override func viewWillAppear(_ animated: Bool) { events.append("appear") }
        override func viewWillDisappear(_ animated: Bool) { events.append("disappear") }
    }
    private let pages = [Page(), Page(), Page()]

    @Test("controllers are pushed and popped, and know their navigation controller")
    func stack() {
        let navigation = UINavigationController(rootViewController: pages[0])
        #expect(navigation.popViewController(animated: true) == nil)
        navigation.pushViewController(pages[1], animated: true)
        pages[1].show(pages[2], sender: nil)
        navigation.pushViewController(pages[2], animated: false)
        #expect(navigation.viewControllers.elementsEqual(pages, by: ===) && navigation.topViewController === pages[2])
        #expect(pages[1].navigationController === navigation)
        #expect(navigation.popToRootViewController(animated: false)?.elementsEqual(pages.dropFirst(), by: ===) == true)
        #expect(pages[1].navigationController == nil && navigation.topViewController === pages[0])
        navigation.viewControllers = [pages[2], pages[1]]
        #expect(pages[0].parent == nil && navigation.popViewController(animated: false) === pages[1])
    }

    @Test("only the top controller appears")
    func appearance() {
        let navigation = UINavigationController(rootViewController: pages[0])
        navigation.gtkViewIsShown(true)
        navigation.pushViewController(pages[1], animated: false)
        #expect(pages[0].events == ["appear", "disappear"] && pages[1].events == ["appear"])
        navigation.popViewController(animated: false)
        #expect(pages[0].events == ["appear", "disappear", "appear"] && pages[1].events == ["appear", "disappear"])
        navigation.gtkViewIsShown(false)
        #expect(pages[0].events.last == "disappear")
    }

    @Test("a controller's title is the title of its navigation item")
    func titles() {
        pages[0].title = "Library"
        #expect(pages[0].navigationItem.title == "Library")
        pages[0].title = "Films"
        #expect(pages[0].navigationItem.title == "Films")
        pages[0].navigationItem.title = "Other"
        #expect(pages[0].title == "Films")
    }

    @Test("a window's title follows the title of its root controller")
    func windowTitle() {
        var titles: [String?] = []
        let stage = Stage {
            TitledContent(controller: pages[0]).onPreferenceChange(WindowTitleKey.self) { titles.append($0) }
        }
        for title in ["Library", "Films", nil] {
            pages[0].title = title
            stage.layOut()
            #expect(titles.last == .some(title))
        }
    }

    @Test("bar buttons with a menu have a name, and symbols keep theirs")
    func buttonNames() {
        func names(_ item: UIBarButtonItem) -> [String?] {
            let stage = Stage { BarButton(item: item, tint: nil, revision: 0) }
            return stage.elements.compactMap { $0 as? ControlElement }.map { $0.accessibility.label }
        }
        let symbol = UIImage(systemName: "ellipsis")
        let more = UIBarButtonItem(image: symbol, menu: UIMenu(children: [UIAction(title: "Loop") { _ in }]))
        more.accessibilityLabel = "More"
        #expect(names(more) == ["More"])
        #expect(names(UIBarButtonItem(title: "Next")) == ["Next"])
        #expect(names(UIBarButtonItem(systemItem: .close)) == [nil])
    }
}

/// Tests of a navigation controller on a screen.
@Suite("UIKit's navigation in a window", .serialized)
struct UINavigationWindowTests {
    @Test("a bar's buttons push a page and go back")
    func navigation() async throws {
        let probe = try await ControlProbe(["uikit-navigation"])
        #expect(probe.said.first == "appeared=First")
        #expect(try await probe.shows([255, 0, 0], "pages", 0.5, 0.7))
        try probe.click("pages", 0.93, 23.0 / 160)
        try await probe.expect("appeared=Second")
        #expect(try await probe.shows([0, 0, 255], "pages", 0.5, 0.7))
        try probe.click("pages", 0.06, 23.0 / 160)
        try await probe.expect("appeared=First")
        #expect(try await probe.shows([255, 0, 0], "pages", 0.5, 0.7))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
