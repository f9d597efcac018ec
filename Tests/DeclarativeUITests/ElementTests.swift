import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Elements") @MainActor
struct ElementTests {
    @Test("an element is shown in a host without hidden ancestors")
    func shown() {
        let stage = Stage { Color.red }
        let column = HideableColumn()
        let page = NavigationElement()
        column.setChildren([page])
        // A stack of pages outside a surface must not handle the keys for going back, as it once did.
        #expect(!page.isShown)
        column.attach(stage.host.surface)
        #expect(page.isShown)
        column.isHiddenByParent = true
        #expect(!page.isShown)
        column.isHiddenByParent = false
        #expect(page.isShown)
        column.detach(stage.host.surface)
        #expect(!page.isShown && !column.isShown)
    }
}
