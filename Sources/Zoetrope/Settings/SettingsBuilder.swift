/// Gathers the settings of `VideoSettings { … }` in the order they stand.
@resultBuilder
public enum SettingsBuilder {
    /// A line of the block.
    public static func buildExpression(_ setting: some SettingsConvertible) -> [Setting] { setting.asSettings() }
    /// All lines, in order.
    public static func buildBlock(_ parts: [Setting]...) -> [Setting] { parts.flatMap { $0 } }
    /// An `if` without an `else`: nothing where it does not hold.
    public static func buildOptional(_ part: [Setting]?) -> [Setting] { part ?? [] }
    /// The `if` of an `if … else`.
    public static func buildEither(first: [Setting]) -> [Setting] { first }
    /// The `else` of an `if … else`.
    public static func buildEither(second: [Setting]) -> [Setting] { second }
    /// A `for`: its rounds' lines, in order.
    public static func buildArray(_ parts: [[Setting]]) -> [Setting] { parts.flatMap { $0 } }
    /// An `if #available`.
    public static func buildLimitedAvailability(_ part: [Setting]) -> [Setting] { part }
}
