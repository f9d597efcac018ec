import MediaCore

/// A value of any type that is watched for changes.
///
/// Modifiers that only compare or pass on their argument take it as `any …`, whereas SwiftUI's have a type parameter.
/// With a type parameter, the type of the modified view would depend on the type of the argument. If a body has an
/// error, the compiler would then check the body for every possible type of the argument. The expression
/// `count * 2 + 1` alone has nearly 900 interpretations.
struct WatchedValue: Equatable {
    let value: any Equatable
    init(_ value: any Equatable) { self.value = value }

    static func == (a: WatchedValue, b: WatchedValue) -> Bool {
        ErasedEquality.areEqual(a.value, b.value) ?? false
    }
}
