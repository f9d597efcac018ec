import Zoetrope

// The dialect asks for these where views are made: on the main actor.
public struct PlayerModelKey: @preconcurrency EnvironmentKey {
    /// One for the whole process, for views without a model set above them.
    @MainActor public static let defaultValue = PlayerModel()
}
public struct PlayerPreviewModelKey: @preconcurrency EnvironmentKey {
    @MainActor public static let defaultValue = PlayerPreviewModel()
}

extension EnvironmentValues {
    /// What plays in the views below: `.environment(\.playerModel, model)`.
    public var playerModel: PlayerModel {
        get { self[PlayerModelKey.self] }
        set { self[PlayerModelKey.self] = newValue }
    }
    public var playerPreviewModel: PlayerPreviewModel {
        get { self[PlayerPreviewModelKey.self] }
        set { self[PlayerPreviewModelKey.self] = newValue }
    }
}
