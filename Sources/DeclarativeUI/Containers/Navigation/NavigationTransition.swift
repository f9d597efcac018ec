import Foundation
@_spi(Graph) import ViewGraph

/// The way in which a page of a navigation stack appears and disappears. Matches SwiftUI's `NavigationTransition`; only
/// the types of this module are supported.
public protocol NavigationTransition {
    /// The transition in the form that navigation stacks use. Not intended for apps.
    var _transition: _NavigationTransition { get }
}
/// A navigation transition in the form that navigation stacks use. Not intended for apps.
public struct _NavigationTransition: Equatable {
    /// The name of the source of a zoom, or nil for the default transition.
    let source: MatchedSourceKey?
}
/// The default transition: pages change at once. In the phone style, they slide for 0.35 seconds.
///
/// A new page slides in from the trailing edge, over the page below it. That page moves by a third of the width and
/// is dimmed. A removed page slides back. The bars change at once. If the user prefers reduced motion, the pages are
/// crossfaded. Changes whose transaction has `disablesAnimations` are not animated.
public struct AutomaticNavigationTransition: NavigationTransition, Sendable {
    /// Creates the transition. The short form is `.automatic`.
    public init() {}
    public var _transition: _NavigationTransition { _NavigationTransition(source: nil) }
}
/// A transition that zooms a page out of the frame of another view, and back into it.
public struct ZoomNavigationTransition: NavigationTransition {
    let source: MatchedSourceKey
    public var _transition: _NavigationTransition { _NavigationTransition(source: source) }
}
extension NavigationTransition where Self == AutomaticNavigationTransition {
    /// The default transition: pages change at once. In the phone style, they slide.
    public static var automatic: AutomaticNavigationTransition { AutomaticNavigationTransition() }
}
extension NavigationTransition where Self == ZoomNavigationTransition {
    /// Returns a transition that zooms a page out of the view with `matchedTransitionSource(id:in:)`, and back into it.
    ///
    /// If there is no such view, or if the user prefers reduced motion, the pages are crossfaded.
    /// - Parameters:
    ///   - sourceID: The name of the source in the namespace. If it has changed when the page is removed, the page
    ///     zooms into the new source.
    ///   - namespace: The namespace of the source.
    public static func zoom(sourceID: some Hashable, in namespace: Namespace.ID) -> ZoomNavigationTransition {
        ZoomNavigationTransition(source: MatchedSourceKey(namespace: namespace, id: AnyHashable(sourceID)))
    }
}

/// The transition of the page that contains the view.
struct NavigationTransitionKey: PreferenceKey {
    static var defaultValue: _NavigationTransition? { nil }
    static func reduce(value: inout _NavigationTransition?, nextValue: () -> _NavigationTransition?) {
        value = value ?? nextValue()
    }
}

extension View {
    /// Sets how this page of a navigation stack appears when it is pushed, and disappears when it is removed.
    ///
    /// Sheets and covers do not use the transition, because they are windows.
    ///
    /// ```swift
    /// .navigationDestination(for: Video.self) { video in
    ///     Details(video).navigationTransition(.zoom(sourceID: video.id, in: namespace))
    /// }
    /// ```
    public func navigationTransition<T: NavigationTransition>(_ style: T) -> some View {
        preference(key: NavigationTransitionKey.self, value: style._transition)
    }
}
