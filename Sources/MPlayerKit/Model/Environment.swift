import Zoetrope

// The keys are used while views are evaluated, which happens on the main actor.
/// The environment key of the `PlayerModel`. Apps use `EnvironmentValues.playerModel`.
public struct PlayerModelKey: @preconcurrency EnvironmentKey {
    /// The model of the process, for views without a model in their environment.
    @MainActor public static let defaultValue = PlayerModel()
}
/// The environment key of the `PlayerPreviewModel`. Apps use `EnvironmentValues.playerPreviewModel`.
public struct PlayerPreviewModelKey: @preconcurrency EnvironmentKey {
    /// The model of the process, for views without a model in their environment.
    @MainActor public static let defaultValue = PlayerPreviewModel()
}

extension EnvironmentValues {
    /// The player model of a view and its subviews, set with `.environment(\.playerModel, model)`.
    public var playerModel: PlayerModel {
        get { self[PlayerModelKey.self] }
        set { self[PlayerModelKey.self] = newValue }
    }
    /// The model for previews of positions. By default, there is one model for the process.
    public var playerPreviewModel: PlayerPreviewModel {
        get { self[PlayerPreviewModelKey.self] }
        set { self[PlayerPreviewModelKey.self] = newValue }
    }
}
