import MediaCore

/// A value of any type that is watched for changes.
///
/// Modifiers that only compare or only pass on what they are given take it as `any …`, where SwiftUI's have a type
/// parameter: a parameter would tie the expression that is given to the view's own type, and the compiler tries a body
/// that has an error once for every way such an expression could be meant (`value: count * 2 + 1` nearly nine hundred
/// times).
struct WatchedValue: Equatable {
    let value: any Equatable
    init(_ value: any Equatable) { self.value = value }

    static func == (a: WatchedValue, b: WatchedValue) -> Bool {
        ErasedEquality.areEqual(a.value, b.value) ?? false
    }
}
