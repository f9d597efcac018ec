import Zoetrope

// The dialect asks for these where views are made: on the main actor.
/// Where the environment keeps the `PlayerModel`; apps use `EnvironmentValues.playerModel`.
public struct PlayerModelKey: @preconcurrency EnvironmentKey {
    /// One for the whole process, for views without a model set above them.
    @MainActor public static let defaultValue = PlayerModel()
}
/// Where the environment keeps the `PlayerPreviewModel`; apps use `EnvironmentValues.playerPreviewModel`.
public struct PlayerPreviewModelKey: @preconcurrency EnvironmentKey {
    /// One for the whole process, for views without a model set above them.
    @MainActor public static let defaultValue = PlayerPreviewModel()
}

extension EnvironmentValues {
    /// What plays in the views below: `.environment(\.playerModel, model)`.
    public var playerModel: PlayerModel {
        get { self[PlayerModelKey.self] }
        set { self[PlayerModelKey.self] = newValue }
    }
    /// The model that shows places which are sought; one for the process unless a view above sets another.
    public var playerPreviewModel: PlayerPreviewModel {
        get { self[PlayerPreviewModelKey.self] }
        set { self[PlayerPreviewModelKey.self] = newValue }
    }
}
