import Foundation
@_spi(Graph) import ViewGraph

extension UIViewController {
    /// The controllers around this one, beginning with this one. The last one presents other controllers for all of
    /// them: a presented controller, or the root controller of the window.
    final var presentationPath: [UIViewController] {
        var path = [self]
        var current: UIViewController? = self
        while let inner = current {
            current = inner.parent ?? (inner.modal.presentedIn == nil ? inner.surroundingController : nil)
            if let current { path.append(current) }
        }
        return path
    }
    final var presentationBase: UIViewController { presentationPath.last ?? self }

    /// The nearest controller whose view contains this controller's view, without being its parent.
    private var surroundingController: UIViewController? {
        guard let view = viewIfLoaded else { return nil }
        var above = view.superview
        while let current = above {
            if let controller = current.controller { return controller }
            above = current.superview
        }
        // The view is the outermost one. Declarative views of another controller may contain it.
        var element: Element? = view.outermost.enclosing
        while let current = element {
            if let owner = ((current as? RepresentedElement)?.layered as? UIView)?.controller, owner !== self {
                return owner
            }
            element = current.enclosingElement
        }
        let root = view.window?.rootViewController
        return root === self ? nil : root
    }
}
