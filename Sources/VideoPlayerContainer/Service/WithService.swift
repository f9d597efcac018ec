import Zoetrope

/// A view or a part of one that belongs to a player; the word tells what it is for.
public typealias Widget = View

/// Content of a service: evaluated anew whenever the service's `objectWillChange` fires.
///
/// The context comes from the environment: in a ``PlayerWidget``, or below `.environmentObject(context)`. Where there
/// is none, the place shows what is missing.
public struct WithService<Content, S>: View where Content: View, S: Service {
    @EnvironmentObject private var context: Context
    private let content: (S) -> Content
    private let evaluation = Evaluation()

    /// - Parameters:
    ///   - serviceType: made by the context if there is none yet.
    ///   - content: of the service as it is now.
    public init(_ serviceType: S.Type, @ViewBuilder content: @escaping (S) -> Content) { self.content = content }

    public var body: some View { ServiceContent(service: context[S.self], content: content, evaluation: evaluation) }
}

/// One for each time that a view around evaluates its body. Two closures that capture one object, another service say,
/// look the same whatever has become of that object: by this no two views with such a closure are the same.
private final class Evaluation {}

private struct ServiceContent<S: Service, Content: View>: View {
    @ObservedObject var service: S
    let content: (S) -> Content
    let evaluation: Evaluation
    var body: some View { content(service) }
}
