import Foundation
import MediaCore

/// What lays out: a node of the tree that the fibers' views contribute.
///
/// A parent proposes a size, the element answers with the size it takes, the parent places it: SwiftUI's
/// model. Sizes are points, origin at the top left. What an element draws, and the widgets it stands for, are its host's
/// affair. Main actor.
@_spi(Graph) @MainActor
open class Element {
    package private(set) final weak var parent: Element?
    /// In the order of layout; drawn in order of `zIndex`, those alike in this order.
    package private(set) final var children: [Element] = []
    package private(set) final weak var host: (any ElementHost)?
    /// Where it lies in its parent.
    package private(set) final var frame = CGRect.zero
    /// With which proposal it was placed.
    package private(set) final var proposal = ProposedViewSize.unspecified

    private var isPlaced = false
    private var isLaidOut = false
    private var sizes: [(ProposedViewSize, CGSize)] = []
    private var guides: [AlignmentKey: Bool] = [:]
    private var moving: Animated<AnimatableNumbers>?
    package private(set) final var presence: Presence?
    /// Children on their way out: drawn where they were, no longer laid out.
    package private(set) final var leaving: [Element] = []
    /// It is read from right to left: what is in it is laid out as ever, and its places are mirrored in its width.
    package private(set) final var isMirrored = false
    /// Said of it; nil: as what it is in.
    package final var direction: LayoutDirection? {
        didSet { if direction != oldValue { inheritDirection(parent?.isMirrored ?? false) } }
    }
    /// It is on its way out: seen, but it takes no input any more.
    package private(set) final var isInert = false

    public init() {}

    // MARK: what kinds of elements decide

    /// The size it takes when `proposal` is offered. Asked through `sizeThatFits`, which remembers.
    open func measure(_ proposal: ProposedViewSize) -> CGSize {
        children.first?.sizeThatFits(proposal) ?? .zero
    }
    /// Places the children in `size`.
    open func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for child in children { child.place(CGRect(origin: .zero, size: child.sizeThatFits(proposal)), proposal) }
    }
    /// Where an alignment lies, if this element has something to say about it. Asked through `explicitGuide`.
    open func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? { nil }
    /// Whether it or something below it says where an alignment lies: most say nothing, and need not be looked through.
    open func definesGuide(_ key: AlignmentKey) -> Bool { children.contains { $0.mayDefineGuide(key) } }
    /// Its size does not depend on what is below it.
    var hasFixedSize: Bool { false }
    /// It aligns its children by their texts' baselines.
    var usesBaselines: Bool { false }
    /// What is said of it to its container.
    open func trait<T>(_ type: T.Type) -> T? { nil }
    /// Whether it says itself, to assistive technology, what `child` and what is below that say: they then say nothing.
    open func speaks(for child: Element) -> Bool { false }
    /// Whether a touch at `point` meets something of it. The point is of its own space, and may lie outside of its
    /// frame, where content may be drawn too.
    open func contains(_ point: CGPoint) -> Bool { childrenContain(point) }
    /// Whether input at `point`, of its own space, may be for something in it: false where it cuts off what it draws.
    open func admits(_ point: CGPoint) -> Bool { true }
    /// Whether input at a point of `rect`, of its own space, may be for something in it.
    open func admitsSome(of rect: CGRect) -> Bool { true }
    open func attached(to host: any ElementHost) {}
    open func detached(from host: any ElementHost) {}
    /// Its place in the host has changed, or may have. - Parameter transform: of its space into the host's.
    open func located(_ transform: CGAffineTransform, _ size: CGSize) {}
    /// A child is told next where it is. - Parameter transform: of this element's space into the host's.
    open func locating(_ child: Element, _ transform: CGAffineTransform) {}
    /// How its children's space lies in its own, apart from their frames.
    open func childTransform(_ size: CGSize) -> CGAffineTransform { .identity }
    /// `isMirrored` is another one.
    open func directionChanged() {}
    /// `isInert` is another one.
    open func inertChanged() {}
    /// Whether the pointer passes it by may be another thing.
    open func pointerChanged() { for child in children + leaving { child.pointerChanged() } }
    /// Whether the pointer passes by it and everything in it.
    open var letsPointerThrough: Bool { false }
    /// What it is to its neighbours in a stack, through what says nothing of its looks.
    open var company: Company { .other }
    /// It lies in what `allowsHitTesting(false)` was said of.
    package final var isPassedByPointer: Bool {
        var place = outward
        while let here = place {
            if here.letsPointerThrough { return true }
            place = here.outward
        }
        return false
    }
    /// Its children as the keyboard goes through them: as they were written, whatever is drawn first.
    open var inFocusOrder: [Element] { children }
    /// Children of it that are drawn at all; what is not here is not located either.
    open var isHidden: Bool { false }

    // MARK: tree

    open func setChildren(_ new: [Element]) {
        guard new.count != children.count || !zip(new, children).allSatisfy({ $0 === $1 }) else { return }
        let kept = Set(new.map(ObjectIdentifier.init))
        let old = Set(children.map(ObjectIdentifier.init))
        let animation = host?.animation
        for child in children where !kept.contains(ObjectIdentifier(child)) && child.parent === self {
            if let animation, let host, child.isPlaced {
                let transition = child.trait(AnyTransition.self) ?? .opacity
                child.presence = Presence(
                    transition: transition, isLeaving: true, animation: transition.animation ?? animation, now: host.now
                )
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
            if let animation, let host, isPlaced {
                let transition = child.trait(AnyTransition.self) ?? .opacity
                child.presence = Presence(
                    transition: transition, isLeaving: false, animation: transition.animation ?? animation,
                    now: host.now)
                host.animate()
            }
        }
        children = new
        host?.structureChanged()
        setNeedsLayout()
    }

    private func adopt(_ parent: Element) {
        if isInert { setInert(false) }
        if let old = self.parent, old !== parent { old.forget(self) }
        self.parent = parent
        inheritDirection(parent.isMirrored)
        if let host = parent.host { attach(host) } else if let host { detach(host) }
    }

    private func forget(_ child: Element) {
        children.removeAll { $0 === child }
        leaving.removeAll { $0 === child }
    }

    final func inheritDirection(_ mirrored: Bool) {
        let new = direction.map { $0 == .rightToLeft } ?? mirrored
        guard new != isMirrored else { return }
        isMirrored = new
        directionChanged()
        for child in children + leaving { child.inheritDirection(new) }
        setNeedsLayout()
    }

    /// It is seen, or was, and takes no input.
    package final func setInert(_ inert: Bool) {
        isInert = inert
        inertChanged()
        for child in children { child.setInert(inert) }
    }

    /// Makes it the root of `host`.
    open func attach(_ host: any ElementHost) {
        guard self.host !== host else { return }
        if let old = self.host { detach(old) }
        self.host = host
        attached(to: host)
        for child in children { child.attach(host) }
        host.structureChanged()
    }

    private func detach() {
        if isInert { setInert(false) }
        presence = nil
        isPlaced = false
        isLaidOut = false
        moving = nil
        if let host { detach(host) }
        parent = nil
    }

    package func detach(_ host: any ElementHost) {
        for child in children + leaving { child.detach(host) }
        leaving = []
        self.host = nil
        detached(from: host)
    }

    // MARK: layout

    package final func sizeThatFits(_ wish: ProposedViewSize) -> CGSize {
        let proposal = wish.proper
        if let known = sizes.first(where: { $0.0 == proposal }) { return known.1 }
        let size = measure(proposal).answering(proposal)
        // A stack asks for a handful of sizes in one pass.
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

    /// Its size may be another one.
    package final func setNeedsLayout() {
        var element: Element? = self
        var mayGrow = true
        while let current = element {
            if mayGrow {
                current.sizes.removeAll(keepingCapacity: true)
                current.guides.removeAll(keepingCapacity: true)
                current.forgetArrangement()
            }
            current.isLaidOut = false
            // Those above a fixed frame keep what they know, unless they look at texts through it, or it is the frame
            // that changes.
            if mayGrow, current !== self, current.hasFixedSize, current.isPlaced, !current.isAlignedByBaselines {
                mayGrow = false
            }
            element = current.parent
        }
        host?.needsLayout()
    }
    /// What was worked out of the children's sizes holds no more.
    open func forgetArrangement() {}

    private var isAlignedByBaselines: Bool {
        var element = parent
        while let current = element {
            if current.usesBaselines { return true }
            element = current.parent
        }
        return false
    }

    package final func setNeedsDisplay() { host?.needsDisplay() }

    package final func place(_ wish: CGRect, _ wished: ProposedViewSize) {
        var rect = wish.proper
        let proposal = wished.proper
        if let parent, parent.isMirrored { rect.origin.x = parent.frame.width - rect.maxX }
        if let host, rect != frame, isPlaced, let animation = host.layoutAnimation {
            let numbers = { (r: CGRect) in AnimatableNumbers([r.minX, r.minY, r.width, r.height].map(Double.init)) }
            if moving == nil { moving = Animated(numbers(frame)) }
            moving?.set(numbers(rect), animation, now: host.now)
            host.animate()
        } else if rect != frame {
            moving = nil
        }
        let isSame = isLaidOut && rect.size == frame.size && proposal == self.proposal
        frame = rect
        self.proposal = proposal
        isPlaced = true
        guard !isSame else { return }
        isLaidOut = true
        layoutChildren(rect.size, proposal)
    }

    /// It is taken to have been at a place, of its parent's space: where it is placed next, it moves there from it.
    package final func assumePlace(_ rect: CGRect) {
        frame = rect.proper
        isPlaced = true
    }

    /// Where it is seen now, on its way or there.
    package final func presentedFrame(_ now: Double) -> CGRect {
        guard let values = moving?.value(now).values, values.count == 4, moving?.isRunning(now) == true else {
            return frame
        }
        return CGRect(x: values[0], y: values[1], width: max(0, values[2]), height: max(0, values[3]))
    }

    /// Of its own space into the one that its frame is in, on its way or there. Drawing, widgets and input go by this
    /// and by `childTransform`.
    package final func placement(_ now: Double) -> CGAffineTransform {
        let frame = presentedFrame(now)
        let place = CGAffineTransform(translationX: frame.minX, y: frame.minY)
        guard let presence, presence.isRunning(now) else { return place }
        return presence.transform(frame.size, now).concatenating(place)
    }

    /// Its frame in the host's space, at rest.
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

    /// Its frame in the window's content, at rest: through each scrolled host around it.
    final var frameInWindow: CGRect {
        var rect = frameInHost
        var host = self.host
        while let outer = host?.enclosing {
            let seen = host?.visibleRect?.origin ?? .zero
            let at = outer.frameInHost.origin
            rect = rect.offsetBy(dx: at.x - seen.x, dy: at.y - seen.y)
            host = outer.host
        }
        return rect
    }
    /// The element around it, also across the edge of a scrolled host.
    package final var outward: Element? { parent ?? host?.enclosing }
    /// It stands in a host, and nothing from it out to the window is hidden or taken out.
    package final var isShown: Bool {
        var element: Element? = self
        while let current = element {
            guard current.host != nil, !current.isHidden else { return false }
            element = current.outward
        }
        return true
    }

    // MARK: on the screen

    package final var inDrawingOrder: [Element] {
        guard children.contains(where: { $0.trait(ZIndex.self) != nil }) else { return children }
        return children.enumerated().sorted {
            let (a, b) = ($0.element.trait(ZIndex.self)?.value ?? 0, $1.element.trait(ZIndex.self)?.value ?? 0)
            return a == b ? $0.offset < $1.offset : a < b
        }.map(\.element)
    }

    /// Tells every element below where it is, for those that stand for widgets.
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
        // Their widgets are seen until they have gone.
        for child in leaving { child.locate(below, now) }
    }

    /// Whether something below moves at `now`; ends what is over.
    package final func isAnimating(_ now: Double) -> Bool {
        var result = isAnimatingItself(now)
        if let moving {
            if moving.isRunning(now) { result = true } else { self.moving = nil }
        }
        if let presence {
            if presence.isRunning(now) { result = true } else { self.presence = nil }
        }
        let gone = leaving.filter { !($0.presence?.isRunning(now) ?? false) }
        if !gone.isEmpty {
            leaving.removeAll { child in gone.contains { $0 === child } }
            for child in gone { child.detach() }
            host?.structureChanged()
        }
        for child in children + leaving where child.isAnimating(now) { result = true }
        return result
    }
    open func isAnimatingItself(_ now: Double) -> Bool { false }
}

struct ZIndex { var value: Double }
struct LayoutPriority { var value: Double }
