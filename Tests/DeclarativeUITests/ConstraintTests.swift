import Foundation
import Testing

@testable import DeclarativeUI

@MainActor @Suite("Constraints of views")
struct ConstraintTests {
    private final class Sized: UIView {
        override var intrinsicContentSize: CGSize { CGSize(width: 30, height: 20) }
    }
    private func parent() -> UIView { UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 100)) }
    private func child(_ parent: UIView, _ view: UIView = UIView()) -> UIView {
        view.translatesAutoresizingMaskIntoConstraints = false
        parent.addSubview(view)
        return view
    }
    private func isNear(_ a: CGRect, _ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> Bool {
        zip([a.minX, a.minY, a.width, a.height], [x, y, width, height]).allSatisfy { abs($0 - $1) < 0.01 }
    }

    @Test("constraints to the parent's edges follow its size")
    func edges() {
        let parent = parent()
        let view = child(parent)
        NSLayoutConstraint.activate([
            view.leadingAnchor.constraint(equalTo: parent.leadingAnchor, constant: 10),
            view.trailingAnchor.constraint(equalTo: parent.trailingAnchor, constant: -20),
            view.topAnchor.constraint(equalTo: parent.safeAreaLayoutGuide.topAnchor),
            view.bottomAnchor.constraint(equalTo: parent.bottomAnchor, constant: -30),
        ])
        parent.layoutIfNeeded()
        #expect(isNear(view.frame, 10, 0, 170, 70))
        parent.frame = CGRect(x: 0, y: 0, width: 300, height: 200)
        parent.layoutIfNeeded()
        #expect(isNear(view.frame, 10, 0, 270, 170))
    }

    @Test("centers, intrinsic sizes and multiples of the parent's size apply")
    func middle() {
        let parent = parent()
        let own = child(parent, Sized())
        let share = child(parent)
        NSLayoutConstraint.activate([
            own.centerXAnchor.constraint(equalTo: parent.centerXAnchor),
            own.centerYAnchor.constraint(equalTo: parent.centerYAnchor, constant: 5),
            share.widthAnchor.constraint(equalTo: parent.widthAnchor, multiplier: 0.5),
            share.heightAnchor.constraint(equalToConstant: 12),
            share.leftAnchor.constraint(equalTo: own.rightAnchor, constant: 4),
            share.topAnchor.constraint(equalTo: own.bottomAnchor),
        ])
        parent.layoutIfNeeded()
        #expect(isNear(own.frame, 85, 45, 30, 20))
        #expect(isNear(share.frame, 119, 65, 100, 12))
    }

    @Test("limits override a constraint of lower priority")
    func limits() {
        let parent = parent()
        let view = child(parent)
        let wish = view.widthAnchor.constraint(equalToConstant: 500)
        wish.priority = .defaultHigh
        NSLayoutConstraint.activate([
            wish, view.widthAnchor.constraint(lessThanOrEqualToConstant: 150),
            view.heightAnchor.constraint(greaterThanOrEqualToConstant: 40),
            view.leadingAnchor.constraint(equalTo: parent.leadingAnchor),
            view.topAnchor.constraint(equalTo: parent.topAnchor),
        ])
        parent.layoutIfNeeded()
        #expect(abs(view.frame.width - 150) < 0.5 && abs(view.frame.height - 40) < 0.5)
    }

    @Test("a height follows a width, and a width a height")
    func shape() {
        let parent = parent()
        let (wide, high) = (child(parent), child(parent))
        NSLayoutConstraint.activate([
            wide.widthAnchor.constraint(equalToConstant: 160),
            wide.heightAnchor.constraint(equalTo: wide.widthAnchor, multiplier: 9.0 / 16),
            high.widthAnchor.constraint(equalToConstant: 80),
            high.widthAnchor.constraint(equalTo: high.heightAnchor, multiplier: 2, constant: 10),
        ])
        parent.layoutIfNeeded()
        #expect(abs(wide.frame.height - 90) < 0.01 && abs(high.frame.height - 35) < 0.01)
    }

    @Test("changing or deactivating a constraint takes effect")
    func changes() {
        let parent = parent()
        let view = child(parent)
        let left = view.leftAnchor.constraint(equalTo: parent.leftAnchor, constant: 3)
        NSLayoutConstraint.activate([left, view.widthAnchor.constraint(equalToConstant: 10)])
        parent.layoutIfNeeded()
        #expect(abs(view.frame.minX - 3) < 0.01 && parent.constraints.count == 1)
        left.constant = 40
        parent.layoutIfNeeded()
        #expect(abs(view.frame.minX - 40) < 0.01)
        left.isActive = false
        #expect(parent.constraints.isEmpty && view.constraints.count == 1)
    }

    @Test("a view with an autoresizing mask ignores its constraints")
    func others() {
        let parent = parent()
        let view = UIView(frame: CGRect(x: 5, y: 6, width: 7, height: 8))
        parent.addSubview(view)
        view.leftAnchor.constraint(equalTo: parent.leftAnchor, constant: 50).isActive = true
        parent.layoutIfNeeded()
        #expect(isNear(view.frame, 5, 6, 7, 8))
    }
}
