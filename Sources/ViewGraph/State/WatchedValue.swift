import MediaCore

/// A value of any type that is watched for changes.
///
/// Modifiers that only compare or pass on their argument take it as `any …`, whereas SwiftUI's have a type parameter. A
/// type parameter would tie the argument to the type of the view. If a body has an error, the compiler would then check
/// it for every possible meaning of the argument, and `value: count * 2 + 1` has nearly nine hundred.
struct WatchedValue: Equatable {
    let value: any Equatable
    init(_ value: any Equatable) { self.value = value }

    static func == (a: WatchedValue, b: WatchedValue) -> Bool {
        ErasedEquality.areEqual(a.value, b.value) ?? false
    }
}
