/// A result builder that collects the settings of `VideoSettings { … }` in their order.
@resultBuilder
public enum SettingsBuilder {
    /// Returns the settings of one expression.
    public static func buildExpression(_ setting: some SettingsConvertible) -> [Setting] { setting.asSettings() }
    /// Returns the settings of several statements, in their order.
    public static func buildBlock(_ parts: [Setting]...) -> [Setting] { parts.flatMap { $0 } }
    /// Returns the settings of an `if` without `else`; none if the condition is false.
    public static func buildOptional(_ part: [Setting]?) -> [Setting] { part ?? [] }
    /// Returns the settings of an `if` whose condition is true.
    public static func buildEither(first: [Setting]) -> [Setting] { first }
    /// Returns the settings of an `else`.
    public static func buildEither(second: [Setting]) -> [Setting] { second }
    /// Returns the settings of all iterations of a loop, in their order.
    public static func buildArray(_ parts: [[Setting]]) -> [Setting] { parts.flatMap { $0 } }
    /// Returns the settings inside `if #available`.
    public static func buildLimitedAvailability(_ part: [Setting]) -> [Setting] { part }
}
