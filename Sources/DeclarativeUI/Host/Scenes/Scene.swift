/// A part of an app: one or more windows. Same API as in SwiftUI.
@MainActor @preconcurrency
public protocol Scene: _PropertyHolder {
    /// The type of the scenes that this scene consists of.
    associatedtype Body: Scene
    /// The scenes of a custom scene. The property is evaluated again when a value that it reads changes.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Returns the view that represents the scene in the graph. Not for apps.
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

/// A scene that has no body, because Zoetrope itself creates its view.
protocol _PrimitiveScene: Scene where Body == Never {}
extension _PrimitiveScene {
    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
}

/// A result builder for the scenes of an app. Same API as in SwiftUI.
@resultBuilder @MainActor @preconcurrency
public struct SceneBuilder {
    /// Returns a scene unchanged.
    public static func buildExpression<S: Scene>(_ scene: S) -> S { scene }
    /// Returns the only scene of a block unchanged.
    public static func buildBlock<S: Scene>(_ scene: S) -> S { scene }
    /// Joins the scenes of a block. The app opens the first one's window when it starts.
    @_disfavoredOverload
    public static func buildBlock<each S: Scene>(_ scene: repeat each S) -> some Scene {
        var views: [AnyView] = []
        for part in repeat each scene { views.append(viewOf(part)) }
        return SceneList(views: views)
    }
    /// Returns the scene of an `if` without `else`. Nil adds no scene.
    public static func buildOptional<S: Scene>(_ scene: S?) -> some Scene {
        SceneList(views: scene.map { [viewOf($0)] } ?? [])
    }
    /// Returns the scene of an `if #available`.
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

/// A scene with a modifier that applies to all its windows.
struct ModifiedScene<S: Scene>: _PrimitiveScene {
    let scene: S
    let modify: @MainActor (AnyView) -> AnyView
    static func _view(_ scene: Self) -> AnyView { scene.modify(S._view(scene.scene)) }
}
