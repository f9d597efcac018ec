/// Gathers the settings of `VideoSettings { … }` in the order they stand.
@resultBuilder
public enum SettingsBuilder {
    /// One line: what it stands for.
    public static func buildExpression(_ setting: some SettingsConvertible) -> [Setting] { setting.asSettings() }
    /// Lines in their order.
    public static func buildBlock(_ parts: [Setting]...) -> [Setting] { parts.flatMap { $0 } }
    /// An `if` without `else`; nothing where it does not hold.
    public static func buildOptional(_ part: [Setting]?) -> [Setting] { part ?? [] }
    /// The branch of an `if` that holds.
    public static func buildEither(first: [Setting]) -> [Setting] { first }
    /// The branch of an `else`.
    public static func buildEither(second: [Setting]) -> [Setting] { second }
    /// A loop: each pass's settings in their order.
    public static func buildArray(_ parts: [[Setting]]) -> [Setting] { parts.flatMap { $0 } }
    /// What stands within `if #available`.
    public static func buildLimitedAvailability(_ part: [Setting]) -> [Setting] { part }
}
