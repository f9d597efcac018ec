import Foundation
import MediaCore

/// A node of the layout tree, which the fibers of views create.
///
/// Layout follows SwiftUI's model: the parent proposes a size, the element chooses its size, the parent places it.
/// Sizes are in points, with the origin at the top left. The host decides what an element draws and which widgets it
/// has.
@_spi(Graph) @MainActor
open class Element {
    package private(set) final weak var parent: Element?
    /// The children in layout order. They are drawn in the order of `zIndex`; children with the same value are drawn in
    /// this order.
    package private(set) final var children: [Element] = []
    package private(set) final weak var host: (any ElementHost)?
    /// The frame in the parent's space.
    package private(set) final var frame = CGRect.zero
    /// The proposal with which the parent placed the element.
    package private(set) final var proposal = ProposedViewSize.unspecified

    private var status = LayoutStatus()
    private var sizes: [(ProposedViewSize, CGSize)] = []
    private var guides: [AlignmentKey: Bool] = [:]
    @Boxed private var moving: Animated<AnimatableNumbers>?
    @Boxed package private(set) final var presence: Presence?
    /// The zoom with which the parent inserts or removes this element, or nil for none.
    @Boxed package final var zoom: Zoom?
    /// Removed children whose removal animation is running. They are drawn at their last position but not laid out.
    package private(set) final var leaving: [Element] = []
    private var mirroring = Mirroring()
    private var inertness = Inertness()

    public init() {}

    /// Whether the element has been placed, so that `frame` is valid.
    package final var isPlaced: Bool { status.isPlaced }
    /// Whether the element is laid out from right to left. Children are laid out as usual, and their positions are
    /// mirrored within the element's width.
    package final var isMirrored: Bool { mirroring.isMirrored }
    /// The layout direction that is set for this element. If nil, the parent's direction applies.
    package final var direction: LayoutDirection? {
        get { mirroring.direction }
        set {
            guard newValue != mirroring.direction else { return }
            mirroring.direction = newValue
            inheritDirection(parent?.isMirrored ?? false)
        }
    }
    /// Whether the element is visible but receives no input, for example while it is being removed. The descendants of
    /// such an element are inert, too.
    package final var isInert: Bool { inertness.isInert }

    // MARK: overrides for kinds of elements

    /// Returns the size of the element for `proposal`. Called by `sizeThatFits`, which caches the result.
    open func measure(_ proposal: ProposedViewSize) -> CGSize {
        children.first?.sizeThatFits(proposal) ?? .zero
    }
    /// Places the children within `size`.
    open func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for child in children { child.place(CGRect(origin: .zero, size: child.sizeThatFits(proposal)), proposal) }
    }
    /// Returns the position of an alignment if this element sets one, or nil. Called by `explicitGuide`.
    open func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? { nil }
    /// Returns whether this element or a descendant may set the position of an alignment. Elements that return false
    /// are skipped when the position is computed.
    open func definesGuide(_ key: AlignmentKey) -> Bool { children.contains { $0.mayDefineGuide(key) } }
    /// Whether the size of the element is independent of its children.
    var hasFixedSize: Bool { false }
    /// Whether the element aligns its children by their text baselines.
    var usesBaselines: Bool { false }
    /// Returns a value that the element provides for its container.
    open func trait<T>(_ type: T.Type) -> T? { nil }
    /// Returns whether this element's space has the name `name`.
    open func hasSpace(_ name: AnyHashable) -> Bool { false }
    /// Returns whether this element describes `child` and its descendants to assistive technologies. If it does, the
    /// texts of the descendants are not announced separately.
    open func includesText(of child: Element) -> Bool { false }
    /// Returns whether a touch at `point` hits the element. The point is in the element's space. It may be outside of
    /// the frame, where content may also be drawn.
    open func contains(_ point: CGPoint) -> Bool { childrenContain(point) }
    /// Returns whether input at `point`, in the element's space, may be for a descendant. False where the element clips
    /// its content.
    open func admits(_ point: CGPoint) -> Bool { true }
    /// Returns whether input at any point of `rect`, in the element's space, may be for a descendant.
    open func admitsSome(of rect: CGRect) -> Bool { true }
    /// Responds to being attached to a host.
    open func attached(to host: any ElementHost) {}
    /// Responds to being detached from a host.
    open func detached(from host: any ElementHost) {}
    /// Receives the position in the host when it has changed or may have changed.
    /// - Parameters:
    ///   - transform: The transform from the element's space to the host's.
    ///   - size: The size of the element, in points.
    open func located(_ transform: CGAffineTransform, _ size: CGSize) {}
    /// Receives the position of a child before the child is located.
    /// - Parameters:
    ///   - child: The child that is located next.
    ///   - transform: The transform from this element's space to the host's.
    open func locating(_ child: Element, _ transform: CGAffineTransform) {}
    /// Returns the transform from the children's space to the element's own, apart from the children's frames.
    open func childTransform(_ size: CGSize) -> CGAffineTransform { .identity }
    /// Responds to a change of `isMirrored`.
    open func directionChanged() {}
    /// Responds to a change of `isInert`.
    open func inertChanged() {}
    /// Responds to a possible change of `letsPointerThrough` in this element or an ancestor.
    open func pointerChanged() { for child in children + leaving { child.pointerChanged() } }
    /// Whether the pointer ignores this element and all its descendants.
    open var letsPointerThrough: Bool { false }
    /// The kind of the element for the default spacing in a stack. Wrappers without an appearance return the kind of
    /// their content.
    open var stackItemKind: StackItemKind { .other }
    /// Whether an ancestor, such as one with `allowsHitTesting(false)`, makes the pointer ignore this element.
    package final var isIgnoredByPointer: Bool {
        var element = enclosingElement
        while let current = element {
            if current.letsPointerThrough { return true }
            element = current.enclosingElement
        }
        return false
    }
    /// The children in the order of keyboard focus, which is the order in source code, regardless of drawing order.
    open var inFocusOrder: [Element] { children }
    /// The children that may be visible, in layout order. A lazy container leaves out those far from the visible area,
    /// so that drawing does not look at each of them.
    open var shownChildren: [Element] { children }
    /// Whether the element is not drawn. A hidden element and its children are not located either.
    open var isHidden: Bool { false }

    // MARK: tree

    /// Replaces the children. If the host has an animation, insertions and removals are animated.
    open func setChildren(_ new: [Element]) {
        guard new.count != children.count || !zip(new, children).allSatisfy({ $0 === $1 }) else { return }
        let kept = Set(new.map(ObjectIdentifier.init))
        let old = Set(children.map(ObjectIdentifier.init))
        for child in children where !kept.contains(ObjectIdentifier(child)) && child.parent === self {
            if child.isPlaced, let host, let presence = presence(of: child, isLeaving: true, in: host) {
                child.presence = presence
                leaving.append(child)
                child.setInert(true)
                host.animate()
            } else {
                child.detach()
            }
        }
        for child in new where !old.contains(ObjectIdentifier(child)) {
            leaving.removeAll { $0 === child }
            child.adopt(self)
            if isPlaced, let host, let presence = presence(of: child, isLeaving: false, in: host) {
                child.presence = presence
                host.animate()
            }
        }
        children = new
        host?.structureChanged()
        setNeedsLayout()
    }

    /// Returns the transition of a child that is inserted or removed now, or nil for none.
    private func presence(of child: Element, isLeaving: Bool, in host: any ElementHost) -> Presence? {
        if let zoom = child.zoom {
            return Presence(zoom, isLeaving: isLeaving, replacing: child.presence, now: host.now)
        }
        guard let animation = host.animation else { return nil }
        let transition = child.trait(AnyTransition.self) ?? .opacity
        return Presence(
            transition: isMirrored ? transition.mirrored : transition, isLeaving: isLeaving,
            animation: transition.animation ?? animation, now: host.now)
    }

    /// Moves this element like an inserted or removed one, although it stays among its parent's children.
    /// - Parameters:
    ///   - zoom: The move.
    ///   - isLeaving: Whether the element moves away. Otherwise it returns to its position.
    package final func move(_ zoom: Zoom, isLeaving: Bool) {
        guard isPlaced, let host else { return }
        presence = Presence(zoom, isLeaving: isLeaving, replacing: presence, now: host.now)
        host.animate()
    }

    private func adopt(_ parent: Element) {
        inertness.isOwn = false
        if let old = self.parent, old !== parent { old.forget(self) }
        self.parent = parent
        status.move()
        inheritDirection(parent.isMirrored)
        if let host = parent.host { attach(host) } else if let host { detach(host) }
        updateInert()
    }

    private func forget(_ child: Element) {
        children.removeAll { $0 === child }
        leaving.removeAll { $0 === child }
    }

    final func inheritDirection(_ mirrored: Bool) {
        guard mirroring.inherit(mirrored) else { return }
        let new = isMirrored
        directionChanged()
        for child in children + leaving { child.inheritDirection(new) }
        setNeedsLayout()
    }

    /// Sets whether this element and its descendants receive no input, while they may be visible. A descendant that is
    /// inert itself stays so.
    package final func setInert(_ inert: Bool) {
        inertness.isOwn = inert
        updateInert()
    }
    private func updateInert() {
        guard inertness.inherit(parent?.isInert == true) else { return }
        inertChanged()
        for child in children + leaving { child.updateInert() }
    }

    /// Attaches this element and its descendants to `host`.
    open func attach(_ host: any ElementHost) {
        guard self.host !== host else { return }
        if let old = self.host { detach(old) }
        self.host = host
        attached(to: host)
        for child in children { child.attach(host) }
        host.structureChanged()
    }

    private func detach() {
        inertness.isOwn = false
        presence = nil
        status.detach()
        moving = nil
        if let host { detach(host) }
        parent = nil
        updateInert()
    }

    package func detach(_ host: any ElementHost) {
        for child in children + leaving { child.detach(host) }
        leaving = []
        self.host = nil
        detached(from: host)
    }

    // MARK: layout

    package final func sizeThatFits(_ requestedProposal: ProposedViewSize) -> CGSize {
        let proposal = requestedProposal.sanitized
        if let known = sizes.first(where: { $0.0 == proposal }) { return known.1 }
        let size = measure(proposal).answering(proposal)
        // A stack requests only a few sizes in one pass.
        if sizes.count >= 12 { sizes.removeFirst() }
        sizes.append((proposal, size))
        return size
    }

    final func mayDefineGuide(_ key: AlignmentKey) -> Bool {
        if let known = guides[key] { return known }
        let answer = definesGuide(key)
        guides[key] = answer
        return answer
    }

    package final func explicitGuide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        mayDefineGuide(key) ? guide(key, size)?.bounded : nil
    }

    /// Marks the element's layout as outdated, because its size may have changed.
    package final func setNeedsLayout() {
        var element: Element? = self
        var previous: Element?
        var mayGrow = true
        while let current = element {
            if mayGrow {
                current.sizes.removeAll(keepingCapacity: true)
                current.guides.removeAll(keepingCapacity: true)
                current.forgetArrangement(of: previous)
            }
            previous = current
            current.status.invalidate()
            // Ancestors of a fixed frame keep their cached sizes. Exceptions: they align by baselines of texts in the
            // frame, or the frame itself changes.
            if mayGrow, current !== self, current.hasFixedSize, current.isPlaced, !current.isAlignedByBaselines {
                mayGrow = false
            }
            element = current.parent
        }
        host?.needsLayout()
    }
    /// Discards results that the element computed from the sizes of its children.
    /// - Parameter child: The only child whose size may have changed, or nil if the element itself has changed.
    open func forgetArrangement(of child: Element?) {}

    private var isAlignedByBaselines: Bool {
        var element = parent
        while let current = element {
            if current.usesBaselines { return true }
            element = current.parent
        }
        return false
    }

    package final func setNeedsDisplay() { host?.needsDisplay() }

    package final func place(_ requestedFrame: CGRect, _ requestedProposal: ProposedViewSize) {
        var rect = requestedFrame.sanitized
        let proposal = requestedProposal.sanitized
        let parent = parent
        if let parent, parent.isMirrored { rect.origin.x = parent.frame.width - rect.maxX }
        if let host, rect != frame, isPlaced, let animation = host.layoutAnimation {
            let numbers = { (r: CGRect) in AnimatableNumbers([r.minX, r.minY, r.width, r.height].map(Double.init)) }
            if moving == nil { moving = Animated(numbers(frame)) }
            moving?.set(numbers(rect), animation, now: host.now)
            host.animate()
        } else if rect != frame {
            moving = nil
        }
        let isSameSize = rect.size == frame.size && proposal == self.proposal
        if rect != frame || (parent ?? host?.enclosing)?.status.hasMoved == true { status.move() }
        frame = rect
        self.proposal = proposal
        if status.place(isSameSize: isSameSize) {
            layoutChildren(rect.size, proposal)
            // A container need not place hidden children.
            if status.hasMoved { for child in shownChildren where child.isHidden { child.status.move() } }
            status.updateDescendants()
        } else if status.hasMoved {
            updateFollowers()
        }
    }

    /// Calls `positionChanged` on this element and its descendants where they are `PositionFollower`s. Hidden elements
    /// are updated when they are placed again.
    package final func updateFollowers() {
        status.updateDescendants(isHidden: isHidden)
        guard !isHidden, isPlaced, containsFollower else { return }
        (self as? any PositionFollower)?.positionChanged()
        for child in shownChildren { child.updateFollowers() }
    }

    /// Notes that the position in the window may change before this element is placed again.
    final func setMoved() { status.move() }

    /// Releases the memory of cached sizes in this element and its descendants, while it is not shown. They are
    /// computed again when they are needed.
    open func releaseSizes() {
        sizes = []
        guides = [:]
        for child in children { child.releaseSizes() }
    }

    private var containsFollower: Bool {
        if let known = status.containsFollower { return known }
        let result = self is any PositionFollower || children.contains { $0.containsFollower }
        status.setContainsFollower(result)
        return result
    }

    /// Sets the frame, in the parent's space, as if the element had been placed there. The next animated placement
    /// starts from this frame.
    package final func assumePlace(_ rect: CGRect) {
        frame = rect.sanitized
        status.assumePlace()
    }

    /// Returns the frame at time `now`. During an animation, it is between the former frame and `frame`.
    package final func presentedFrame(_ now: Double) -> CGRect {
        guard let values = moving?.value(now).values, values.count == 4, moving?.isRunning(now) == true else {
            return frame
        }
        return CGRect(x: values[0], y: values[1], width: max(0, values[2]), height: max(0, values[3]))
    }

    /// Returns the transform from the element's space to the space of its frame at time `now`, including running
    /// animations.
    ///
    /// Drawing, widgets and input use this transform and `childTransform`.
    package final func placement(_ now: Double) -> CGAffineTransform {
        let frame = presentedFrame(now)
        let translation = CGAffineTransform(translationX: frame.minX, y: frame.minY)
        guard let presence, presence.isRunning(now) else { return translation }
        let change = presence.zoomed(self, now)?.transform ?? presence.transform(frame.size, now)
        return change.concatenating(translation)
    }

    /// The frame in the host's space, without running animations.
    package final var frameInHost: CGRect {
        var rect = CGRect(origin: .zero, size: frame.size)
        var element: Element? = self
        while let current = element {
            rect.origin.x += current.frame.minX
            rect.origin.y += current.frame.minY
            if let parent = current.parent {
                rect = rect.applying(parent.childTransform(parent.frame.size))
            }
            element = current.parent
        }
        return rect
    }

    /// The frame in the space of the window's content, without running animations. Includes the offset of each scrolled
    /// host around the element.
    final var frameInWindow: CGRect {
        var rect = frameInHost
        var host = self.host
        while let outer = host?.enclosing {
            let visibleOrigin = host?.visibleRect?.origin ?? .zero
            let outerOrigin = outer.frameInHost.origin
            rect = rect.offsetBy(dx: outerOrigin.x - visibleOrigin.x, dy: outerOrigin.y - visibleOrigin.y)
            host = outer.host
        }
        return rect
    }
    /// The element around this one. For the root of a scrolled host, the element that contains the host.
    package final var enclosingElement: Element? { parent ?? host?.enclosing }
    /// Whether the element is in a host and neither it nor an ancestor, up to the window, is hidden.
    package final var isShown: Bool {
        var element: Element? = self
        while let current = element {
            guard current.host != nil, !current.isHidden else { return false }
            element = current.enclosingElement
        }
        return true
    }

    // MARK: drawing and animation

    package final var inDrawingOrder: [Element] {
        let shown = shownChildren
        guard shown.contains(where: { $0.trait(ZIndex.self) != nil }) else { return shown }
        return shown.enumerated().sorted {
            let (a, b) = ($0.element.trait(ZIndex.self)?.value ?? 0, $1.element.trait(ZIndex.self)?.value ?? 0)
            return a == b ? $0.offset < $1.offset : a < b
        }.map(\.element)
    }

    /// Calls `located` on this element and all descendants that are not hidden, so that elements with widgets can move
    /// them.
    package final func locate(_ transform: CGAffineTransform, _ now: Double) {
        guard !isHidden else { return }
        let frame = presentedFrame(now)
        let here = placement(now).concatenating(transform)
        located(here, frame.size)
        let below = childTransform(frame.size).concatenating(here)
        for child in inDrawingOrder {
            locating(child, below)
            child.locate(below, now)
        }
        // The widgets of removed children stay visible until their animation ends.
        for child in leaving { child.locate(below, now) }
    }

    /// Returns whether a descendant or the element itself is animating at `now`, and removes what has finished.
    package final func isAnimating(_ now: Double) -> Bool {
        var result = isAnimatingItself(now)
        if let moving {
            if moving.isRunning(now) { result = true } else { self.moving = nil }
        }
        if let presence {
            if presence.isRunning(now) { result = true } else { self.presence = nil }
        }
        if !leaving.isEmpty {
            let finished = leaving.filter { !($0.presence?.isRunning(now) ?? false) }
            if !finished.isEmpty {
                leaving.removeAll { child in finished.contains { $0 === child } }
                for child in finished { child.detach() }
                host?.structureChanged()
            }
            for child in leaving where child.isAnimating(now) { result = true }
        }
        for child in children where child.isAnimating(now) { result = true }
        return result
    }
    /// Returns whether the element is animating at `now` by itself, apart from its position and its transition.
    open func isAnimatingItself(_ now: Double) -> Bool { false }
}

/// An element whose content depends on its position in the window, or on the visible part of its host.
@MainActor
package protocol PositionFollower: Element {
    /// Responds to a possible change of the position or of the visible part. If the size changes, the element is laid
    /// out instead.
    func positionChanged()
}

struct ZIndex { var value: Double }
struct LayoutPriority { var value: Double }
