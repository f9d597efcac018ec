import CGTK
import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Right-to-left layout") @MainActor
struct RightToLeftTests {
    /// The frames of the leaf elements of a view of 200 × 100 points.
    private func frames(_ direction: LayoutDirection, _ view: some View) -> [CGRect] {
        let stage = Stage(200, 100) { view.environment(\.layoutDirection, direction) }
        return stage.elements.filter { $0.children.isEmpty && !($0 is SpacerElement) }.map(\.frameInHost)
    }
    private func mirrored(_ rects: [CGRect]) -> [CGRect] {
        rects.map { CGRect(x: 200 - $0.maxX, y: $0.minY, width: $0.width, height: $0.height) }
    }

    @Test("layouts are mirrored and keep the size of their views")
    func layouts() {
        let box = Color.red
        let views: [AnyView] = [
            AnyView(
                HStack(spacing: 10) {
                    box.frame(width: 20, height: 10)
                    box.frame(width: 50, height: 20)
                    Spacer()
                    box.frame(width: 5, height: 5)
                }),
            AnyView(
                VStack(alignment: .leading) {
                    box.frame(width: 20, height: 10)
                    box.frame(width: 80, height: 10)
                }.frame(maxWidth: .infinity, alignment: .leading)),
            AnyView(
                ZStack(alignment: .topTrailing) {
                    box.frame(width: 120, height: 50)
                    box.frame(width: 10, height: 10)
                }.padding(.leading, 30)),
            AnyView(
                box.frame(width: 40, height: 40).overlay(alignment: .leading) { Color.blue.frame(width: 4, height: 4) }
                    .frame(width: 200, alignment: .trailing)),
            AnyView(GeometryReader { _ in box.frame(width: 30, height: 30) }),
        ]
        for view in views {
            let left = frames(.leftToRight, view)
            let right = frames(.rightToLeft, view)
            #expect(right == mirrored(left), "\(left) \(right)")
            #expect(left != right)
        }
    }

    @Test("a part can use the other direction")
    func parts() {
        let inner = HStack(spacing: 0) {
            Color.red.frame(width: 10, height: 10)
            Color.blue.frame(width: 30, height: 10)
        }
        let view = HStack(spacing: 0) {
            Color.green.frame(width: 100, height: 10)
            inner.environment(\.layoutDirection, .leftToRight)
        }
        let right = frames(.rightToLeft, AnyView(view))
        // Green is at the right end. The two views left of it keep their left-to-right order.
        #expect(right.map(\.minX) == [70, 30, 40])
    }

    private struct Panel: View {
        @State private var isShown = true
        let transition: AnyTransition
        let made: (Binding<Bool>) -> Void
        var body: some View {
            let _ = made($isShown)
            ZStack {
                Color.clear
                if isShown { Color.red.frame(width: 40, height: 40).transition(transition) }
            }
        }
    }
    @Test(
        "transitions use the edges of the layout direction",
        arguments: [
            (AnyTransition.move(edge: .leading), LayoutDirection.leftToRight, 30),
            (.move(edge: .leading), .rightToLeft, 70), (.move(edge: .trailing), .rightToLeft, 30),
            (.slide, .leftToRight, 70), (.slide, .rightToLeft, 30), (.push(from: .leading), .rightToLeft, 30),
            (.offset(x: -40), .rightToLeft, 30),
        ])
    func transitions(_ transition: AnyTransition, _ direction: LayoutDirection, _ leftEdge: Int) {
        nonisolated(unsafe) var isShown: Binding<Bool>?
        let stage = Stage(140, 60) {
            Panel(transition: transition) { isShown = $0 }.environment(\.layoutDirection, direction)
        }
        withAnimation(.linear(duration: 1)) { isShown?.wrappedValue = false }
        stage.layOut()
        // After half of the time, the view has moved by half of its width, 20 points.
        stage.time = 0.5
        let drawing = stage.drawing()
        #expect(drawing.pixel(leftEdge - 2, 30)[3] == 0 && drawing.pixel(leftEdge + 42, 30)[3] == 0)
        #expect(drawing.pixel(leftEdge + 2, 30)[3] > 0 && drawing.pixel(leftEdge + 38, 30)[3] > 0)
    }

    @Test("a popover opens at the leading edge in both directions")
    func popovers() {
        func positions(isMirrored: Bool) -> [GtkPositionType] {
            Edge.allCases.map { $0.position(isMirrored: isMirrored) }
        }
        #expect(positions(isMirrored: false) == [GTK_POS_TOP, GTK_POS_LEFT, GTK_POS_BOTTOM, GTK_POS_RIGHT])
        #expect(positions(isMirrored: true) == [GTK_POS_TOP, GTK_POS_RIGHT, GTK_POS_BOTTOM, GTK_POS_LEFT])
    }

    @Test("pointer positions are correct in rotated, scaled and mirrored views")
    func points() throws {
        func places(_ view: some View, _ x: CGFloat) throws -> CGPoint {
            let stage = Stage(200, 100) { view.frame(width: 200, height: 100, alignment: .leading) }
            let hover = try #require(stage.elements.first { $0 is ContinuousHoverElement } as? ContinuousHoverElement)
            var heard: CGPoint?
            hover.action = { if case .active(let place) = $0 { heard = place } }
            hover.moved(CGPoint(x: x, y: 50))
            return try #require(heard)
        }
        let bar = Color.red.frame(width: 100, height: 100).onContinuousHover { _ in }
        #expect(try places(bar, 30) == CGPoint(x: 30, y: 50))
        #expect(try places(bar.scaleEffect(x: -1, y: 1), 30) == CGPoint(x: 70, y: 50))
        #expect(try places(bar.environment(\.layoutDirection, .rightToLeft), 30) == CGPoint(x: 30, y: 50))
        #expect(
            try places(
                bar.scaleEffect(x: -1, y: 1).frame(width: 200, alignment: .leading).environment(
                    \.layoutDirection, .rightToLeft), 130) == CGPoint(x: 70, y: 50))
        let turned = try places(bar.rotationEffect(.degrees(180)), 30)
        #expect(abs(turned.x - 70) < 0.001 && abs(turned.y - 50) < 0.001)
    }
}
