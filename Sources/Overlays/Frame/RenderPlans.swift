import Filters
import Foundation
import MediaEngine

/// The method by which filtered frames are shown.
enum RenderMethod {
    /// Whether the filters change only colors is not known yet.
    case undecided
    case unchanged
    case colors(FoldedColors)
    case drawn
}

/// The plan of the filters for frames of one size, and the method by which the frames are shown.
struct RenderPlan {
    let size: CGSize
    let hasAlpha: Bool
    let version: UInt64
    /// The number of the frame that this plan is for. Only compared if the settings depend on the time.
    let sequence: UInt64
    let frame: FramePlan
    fileprivate(set) var method: RenderMethod
}

/// The current plan of a composition, and the version of the settings that a plan belongs to.
struct RenderPlans {
    private(set) var current: RenderPlan?
    private(set) var version: UInt64 = 1

    /// Whether frames are drawn before they are shown.
    var areDrawn: Bool { if case .drawn? = current?.method { true } else { false } }

    /// Discards the plan, because what it depends on has changed.
    mutating func invalidate() {
        version += 1
        current = nil
    }

    /// Returns the current plan if it applies to a frame, or nil.
    /// - Parameter dependsOnTime: Whether each frame needs its own plan.
    func known(for pulled: PulledFrame, dependsOnTime: Bool) -> RenderPlan? {
        guard let current, current.size == pulled.frame.presentationSize, current.hasAlpha == pulled.frame.hasAlpha,
            current.version == version, !dependsOnTime || current.sequence == pulled.sequence
        else { return nil }
        return current
    }

    /// Stores and returns the plan for a frame. Decides the method if the frame need not be drawn to find it.
    mutating func add(_ frame: FramePlan, for pulled: PulledFrame, dependsOnTime: Bool) -> RenderPlan {
        let hasAlpha = pulled.frame.hasAlpha
        var method = RenderMethod.undecided
        if frame.isEmpty {
            method = .unchanged
        } else if frame.onlyRecipe == nil || dependsOnTime || hasAlpha && !frame.leavesAlpha {
            method = .drawn
        }
        let fresh = RenderPlan(
            size: pulled.frame.presentationSize, hasAlpha: hasAlpha, version: version, sequence: pulled.sequence,
            frame: frame, method: method)
        current = fresh
        return fresh
    }

    /// Returns whether the current plan is for the same kind of frames and the same settings as `plan`.
    func isCurrent(_ plan: RenderPlan) -> Bool {
        current?.version == plan.version && current?.size == plan.size && current?.hasAlpha == plan.hasAlpha
    }

    /// Sets the method of the current plan. Does nothing if there is no plan.
    mutating func decide(_ method: RenderMethod) { current?.method = method }
}
