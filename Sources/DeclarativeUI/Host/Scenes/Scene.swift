import Foundation

/// A part of an app: a window or several. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol Scene: _PropertyHolder {
    /// The type of the scenes that this one is made of.
    associatedtype Body: Scene
    /// The scenes, for a type of one's own. Evaluated again when something that it read has changed.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Not for apps.
    static func _view(_ scene: Self) -> AnyView
}

extension Scene {
    public static func _view(_ scene: Self) -> AnyView { AnyView(SceneView(scene: scene)) }
}

struct SceneView<S: Scene>: View {
    let scene: S
    var body: AnyView { S.Body._view(scene.body) }
}

extension Never: Scene {
    public static func _view(_ scene: Never) -> AnyView {}
}

/// A scene that is a view of the package's own.
protocol _PrimitiveScene: Scene where Body == Never {}
extension _PrimitiveScene {
    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
}

/// Collects the scenes of an app: SwiftUI's result builder.
@resultBuilder @MainActor @preconcurrency
public struct SceneBuilder {
    /// Takes a scene as it is.
    public static func buildExpression<S: Scene>(_ scene: S) -> S { scene }
    /// Takes the only scene of a block as it is.
    public static func buildBlock<S: Scene>(_ scene: S) -> S { scene }
    /// Joins the scenes of a block; the app opens the first one's window when it starts.
    @_disfavoredOverload
    public static func buildBlock<each S: Scene>(_ scene: repeat each S) -> some Scene {
        var views: [AnyView] = []
        for one in repeat each scene { views.append(viewOf(one)) }
        return SceneList(views: views)
    }
    /// Takes what stands in an `if` without `else`; nil adds no scene.
    public static func buildOptional<S: Scene>(_ scene: S?) -> some Scene {
        SceneList(views: scene.map { [viewOf($0)] } ?? [])
    }
    /// Takes the scene after `if #available`.
    public static func buildLimitedAvailability<S: Scene>(_ scene: S) -> some Scene {
        SceneList(views: [viewOf(scene)])
    }
    private static func viewOf<S: Scene>(_ scene: S) -> AnyView { S._view(scene) }
}

struct SceneList: _PrimitiveScene {
    let views: [AnyView]
    static func _view(_ scene: SceneList) -> AnyView {
        AnyView(ForEach(Array(scene.views.indices), id: \.self) { scene.views[$0] })
    }
}

/// A scene with something around it that holds for all windows of it.
struct ModifiedScene<S: Scene>: _PrimitiveScene {
    let scene: S
    let modify: @MainActor (AnyView) -> AnyView
    static func _view(_ scene: Self) -> AnyView { scene.modify(S._view(scene.scene)) }
}
