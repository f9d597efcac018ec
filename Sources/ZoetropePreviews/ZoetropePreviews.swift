@_exported import DeclarativeUI

/// A preview: `MyApp --preview "name"` opens a window with it (see `PreviewProvider`). Without a name it goes by its
/// file's.
///
/// ```swift
/// #Preview("Two lines") {
///     VStack { Text("one"); Text("two") }
/// }
/// ```
/// State for it is declared in it, marked `@Previewable`. Its window is as the app's are, unless `traits` say
/// otherwise.
@freestanding(declaration)
public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
    #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// - Parameters:
///   - traits: how large its window is, and whether it is high or wide.
@freestanding(declaration)
public macro Preview(
    _ name: String? = nil, traits: PreviewTrait<Preview.ViewTraits>,
    _ additionalTraits: PreviewTrait<Preview.ViewTraits>...,
    @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// A property in the closure of a `#Preview` that lives as long as the preview is shown: `@Previewable @State var isOn
/// = false`.
@attached(peer)
public macro Previewable() = #externalMacro(module: "PreviewMacros", type: "PreviewableMacro")
