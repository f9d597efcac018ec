import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// The links of a controller to the presentations in which it takes part.
@MainActor
struct ModalLinks {
    /// The presentation of another controller by this one.
    var presentation: ControllerPresentation?
    /// The presentation that shows this controller. It is set until the container has closed.
    weak var presentedIn: ControllerPresentation?
    /// The presentation by this controller that an animated call of `dismiss` is closing.
    weak var dismissing: ControllerPresentation?
    var isBeingPresented = false, isBeingDismissed = false
    /// The object that describes the presentation of this controller, created on first use.
    var controller: UIPresentationController?
}

/// A controller that is presented as a dialog with buttons, in place of its view.
@MainActor
protocol DialogController: UIViewController {
    var buttons: DialogButtons { get }
    /// The content of the dialog.
    var dialog: AnyView { get }
    /// Called when the user presses Escape or the window's close button.
    func escape()
    func dialogDidOpen()
}

/// The presentation of a controller: a sheet, a cover or a dialog, as for declarative views.
///
/// The presentation has a graph of its own. When the graph is unmounted, the container closes.
@MainActor
final class ControllerPresentation {
    let presented: UIViewController
    private(set) weak var presenting: UIViewController?
    private let graph = ViewGraph()
    private var place: PresentedPlace?
    /// The window below.
    private weak var below: HostWindow?
    /// The controllers that disappear while the presentation covers the window, the outermost one first.
    private var covered: [Covered]
    private struct Covered { weak var controller: UIViewController? }
    private var isEnded = false
    private var isEndedByUser = false
    private var completions: [() -> Void] = []

    /// The element over which the presented controller presents another one.
    var root: Element? { place?.root }
    /// Whether the content is in a window.
    func isShown(in window: HostWindow) -> Bool { root?.host?.container?.window == window.window }

    private init(_ presented: UIViewController, over presenting: UIViewController, covering: [UIViewController]) {
        self.presented = presented
        self.presenting = presenting
        covered = covering.map { Covered(controller: $0) }
    }

    isolated deinit { if !isEnded { graph.unmount() } }

    // MARK: begin

    /// Presents a controller, or logs a warning if that is not possible.
    ///
    /// The container opens in the next iteration of the main loop, because the app may call this method while views are
    /// added to a window.
    /// - Parameters:
    ///   - presented: The controller.
    ///   - path: The controllers around the one that the app calls, from that one outward. The last one presents.
    ///   - completion: Called after the controller has appeared.
    static func begin(
        _ presented: UIViewController, from path: [UIViewController], _ completion: (() -> Void)?
    ) {
        guard let presenting = path.last else { return }
        if let problem = problem(presented, over: presenting) {
            return ViewGraph.logger.warning(
                "\(type(of: presenting)) can't present \(type(of: presented)): \(problem)")
        }
        let covers = presented.shownStyle.coversWindow && !(presented is any DialogController)
        let presentation = ControllerPresentation(
            presented, over: presenting, covering: covers ? path.reversed() : [])
        presenting.modal.presentation = presentation
        presented.modal.presentedIn = presentation
        presented.modal.isBeingPresented = true
        OnMain.later { presentation.open(completion) }
    }

    private static func problem(_ presented: UIViewController, over presenting: UIViewController) -> String? {
        if let other = presenting.modal.presentation?.presented {
            return "it is already presenting \(type(of: other))."
        }
        if presenting.modal.isBeingDismissed { return "it is being dismissed. Present from the completion instead." }
        if presented === presenting || presented.modal.presentedIn?.isEnded == false {
            return "that controller is already presented."
        }
        if presented.parent != nil { return "that controller has a parent. Remove it from the parent first." }
        if presented.shownStyle == .none { return "modalPresentationStyle is .none." }
        guard presenting.presentationElement?.host?.container?.window != nil else {
            return "its view is not in a window. Present after viewDidAppear(_:)."
        }
        return nil
    }

    private func open(_ completion: (() -> Void)?) {
        guard !isEnded else { return }
        guard let element = presenting?.presentationElement, let window = element.host?.container?.window else {
            return end()
        }
        below = HostWindow.all.first { $0.window == window }
        below?.closeListeners[ObjectIdentifier(self)] = { [weak self] in self?.end() }
        let (container, content) = parts()
        let place = PresentedPlace(container, over: element)
        self.place = place
        for each in covered { each.controller?.gtkViewIsShown(false) }
        AppRoots.mount(
            PresentedRoot(content: content, place: place) { [weak self] in self?.requestClose() }, in: graph)
        if let dialog = presented as? any DialogController {
            presented.gtkViewIsShown(true)
            dialog.dialogDidOpen()
        }
        presented.modal.isBeingPresented = false
        completion?()
    }

    private func parts() -> (any PresentationPlace, AnyView) {
        if let dialog = presented as? any DialogController {
            let window = dialog.buttons.window(graph) { [weak self] in self?.end() }
            dialog.buttons.isOpen = { [weak self] in self?.isEnded == false }
            window.onCancel = { [weak dialog] in dialog?.escape() }
            return (window, dialog.dialog)
        }
        // A hosting controller's view determines the size and the settings of the sheet.
        presented.loadViewIfNeeded()
        let style = presented.shownStyle
        if style.coversWindow || style.isClear {
            return (
                WindowCover(CoverElement(isClear: style.isClear)),
                AnyView(ControllerContent(controller: presented).environment(\.isPresented, false))
            )
        }
        // A window that has just opened has no size yet.
        let size = below.map(\.surface.size).flatMap { $0 == .zero ? nil : $0 } ?? WindowSize.useful
        return (ModalWindow(graph: graph), AnyView(PresentedSheet(controller: presented, below: size)))
    }

    // MARK: end

    /// Closes the presentation on the user's request, unless the app does not allow that.
    func requestClose() {
        // A presentation in the same window also receives the keys for those above it.
        if let above = presented.modal.presentation { return above.requestClose() }
        guard !isEnded else { return }
        let controller = presented.modal.controller
        let delegate = controller?.delegate
        let isAllowed = !presented.isModalInPresentation && presented.hostedSettings?.sheet.isDismissDisabled != true
        guard isAllowed, controller.flatMap({ delegate?.presentationControllerShouldDismiss($0) }) != false else {
            if let controller { delegate?.presentationControllerDidAttemptToDismiss(controller) }
            return
        }
        if let controller { delegate?.presentationControllerWillDismiss(controller) }
        presented.onCloseByUser?()
        isEndedByUser = true
        end()
    }

    /// Closes the presentation and those above it.
    ///
    /// The container closes in the next iteration of the main loop, because a view inside it may have called this
    /// method.
    /// - Parameter completion: Called after the container has closed.
    func end(_ completion: (() -> Void)? = nil) {
        if let completion { completions.append(completion) }
        guard !isEnded else { return }
        isEnded = true
        presented.modal.presentation?.end()
        presented.modal.isBeingPresented = false
        presented.modal.isBeingDismissed = true
        if presenting?.modal.presentation === self { presenting?.modal.presentation = nil }
        OnMain.later { self.close() }
    }

    private func close() {
        graph.unmount()
        presented.gtkViewIsShown(false)
        presented.modal.isBeingDismissed = false
        if presented.modal.presentedIn === self { presented.modal.presentedIn = nil }
        if presenting?.modal.dismissing === self { presenting?.modal.dismissing = nil }
        below?.closeListeners[ObjectIdentifier(self)] = nil
        if place != nil {
            for case let controller? in covered.map(\.controller) where !controller.modal.isBeingDismissed {
                if controller.viewIfLoaded?.shownWindow != nil { controller.gtkViewIsShown(true) }
            }
        }
        place = nil
        if isEndedByUser, let controller = presented.modal.controller {
            controller.delegate?.presentationControllerDidDismiss(controller)
        }
        let closed = completions
        completions = []
        for completion in closed { completion() }
    }
}

extension UIModalPresentationStyle {
    /// Whether the presentation hides the content of the window.
    var coversWindow: Bool { self == .fullScreen || self == .currentContext }
    /// Whether the presentation is over the content of the window, which stays visible.
    var isClear: Bool { self == .overFullScreen || self == .overCurrentContext || self == .custom }
}

/// A container over an element of another graph.
@MainActor
private final class PresentedPlace: PresentationPlace {
    private let container: any PresentationPlace
    private weak var element: Element?
    init(_ container: any PresentationPlace, over element: Element) {
        (self.container, self.element) = (container, element)
    }
    var root: LayersElement { container.root }
    var onClose: (() -> Void)? {
        get { container.onClose }
        set { container.onClose = newValue }
    }
    func open(over _: Element?) { container.open(over: element) }
    func close() { container.close() }
    func titled(_ title: String?) { container.titled(title) }
    func setDismissDisabled(_ isDisabled: Bool) { container.setDismissDisabled(isDisabled) }
}

/// The root view of a presentation, which shows the content while it is mounted.
private struct PresentedRoot: View {
    let content: AnyView
    let place: PresentedPlace
    /// Called when the user requests to close the presentation.
    let close: @MainActor () -> Void
    var body: some View {
        EmptyView().presenting(
            Binding(get: { true }, set: { isPresented in if !isPresented { close() } }), in: { _ in place }
        ) { content }
    }
}

/// The content of a sheet with the view of a controller.
private struct PresentedSheet: View {
    let controller: UIViewController
    /// The size of the window below, in points.
    let below: CGSize

    var body: some View {
        let size = controller.sheetSize(over: below)
        let settings = controller.hostedSettings
        let sheet = controller.modal.controller as? UISheetPresentationController
        SheetContent(
            content: Represented(controller: controller)
                .frame(
                    minWidth: size == nil ? nil : 0, idealWidth: size?.width, maxWidth: size == nil ? nil : .infinity,
                    minHeight: size == nil ? nil : 0, idealHeight: size?.height,
                    maxHeight: size == nil ? nil : .infinity
                )
                // The controller itself ends its presentation.
                .environment(\.isPresented, false)
                .presentationDetents(sheet?.heights(over: below.height) ?? settings?.sheet.detents ?? [])
                .preference(key: WindowTitleKey.self, value: settings?.title ?? controller.shownTitle))
    }

    struct Represented: UIViewControllerRepresentable {
        let controller: UIViewController
        func makeUIViewController(context: Context) -> UIViewController { controller }
        func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
        func sizeThatFits(_ proposal: ProposedViewSize, uiViewController: UIViewController, context: Context)
            -> CGSize?
        { uiViewController.hostedSize(proposal) }
    }
}

extension UIViewController {
    /// Returns the size in points with which a sheet over a window opens, or nil for the size of a hosted view.
    fileprivate func sheetSize(over window: CGSize) -> CGSize? {
        if preferredContentSize.width > 0, preferredContentSize.height > 0 { return preferredContentSize }
        guard hostedSettings == nil else { return nil }
        return switch shownStyle {
        case .formSheet, .popover: CGSize(width: min(540, window.width), height: min(620, window.height))
        default: CGSize(width: min(704, window.width), height: window.height)
        }
    }
}
