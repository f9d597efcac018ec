/// Gathers the settings of `VideoSettings { … }` in the order they stand.
@resultBuilder
public enum SettingsBuilder {
    public static func buildExpression(_ setting: some SettingsConvertible) -> [Setting] { setting.asSettings() }
    public static func buildBlock(_ parts: [Setting]...) -> [Setting] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Setting]?) -> [Setting] { part ?? [] }
    public static func buildEither(first: [Setting]) -> [Setting] { first }
    public static func buildEither(second: [Setting]) -> [Setting] { second }
    public static func buildArray(_ parts: [[Setting]]) -> [Setting] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [Setting]) -> [Setting] { part }
}
