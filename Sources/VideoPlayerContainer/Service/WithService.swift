import Zoetrope

/// A view that belongs to a player. The name only shows the purpose of the view.
public typealias Widget = View

/// A view of a service's content, which is evaluated again whenever the service's `objectWillChange` is sent.
///
/// ```swift
/// struct LikeButton: View {
///     var body: some View {
///         WithService(LikeService.self) { service in
///             Button { service.isLiked.toggle() } label: {
///                 Image(systemName: service.isLiked ? "heart.fill" : "heart")
///             }
///         }
///     }
/// }
/// ```
/// The context comes from the environment: inside a ``PlayerWidget``, or below `.environmentObject(context)`. Without a
/// context, the view shows a text that names what is missing.
public struct WithService<Content, S>: View where Content: View, S: Service {
    @EnvironmentObject private var context: Context
    private let content: (S) -> Content
    private let evaluation = Evaluation()

    /// Creates a view of a service's content.
    /// - Parameters:
    ///   - serviceType: The type of the service. If the service does not exist, the context creates it.
    ///   - content: Returns the content for the current state of the service.
    public init(_ serviceType: S.Type, @ViewBuilder content: @escaping (S) -> Content) { self.content = content }

    public var body: some View { ServiceContent(service: context[S.self], content: content, evaluation: evaluation) }
}

/// A new object for each evaluation of the surrounding view's body. Two closures with the same captured object look
/// equal, even if the object has changed. This object makes the views that contain the closures differ.
private final class Evaluation {}

private struct ServiceContent<S: Service, Content: View>: View {
    @ObservedObject var service: S
    let content: (S) -> Content
    let evaluation: Evaluation
    var body: some View { content(service) }
}
