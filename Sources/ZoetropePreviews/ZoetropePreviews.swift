@_exported import DeclarativeUI

/// Declares a preview. `MyApp --preview "name"` opens a window with the preview (see `PreviewProvider`).
///
/// A preview without a name has the name of its file.
///
/// ```swift
/// #Preview("Two lines") {
///     VStack { Text("one"); Text("two") }
/// }
/// ```
///
/// Declare the preview's state inside the closure and mark it with `@Previewable`. The window is like the app's
/// windows, unless `traits` change it.
@freestanding(declaration)
public macro Preview(_ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View) =
    #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// Declares a preview with traits.
///
/// - Parameters:
///   - name: The name; nil for the name of the file.
///   - traits: The size or the orientation of the preview's window.
///   - additionalTraits: Other traits of the window.
///   - body: Returns the view.
@freestanding(declaration)
public macro Preview(
    _ name: String? = nil, traits: PreviewTrait<Preview.ViewTraits>,
    _ additionalTraits: PreviewTrait<Preview.ViewTraits>...,
    @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewMacros", type: "PreviewMacro")

/// Marks a property in the closure of a `#Preview`, so that the property exists as long as the preview is shown:
/// `@Previewable @State var isOn = false`.
@attached(peer)
public macro Previewable() = #externalMacro(module: "PreviewMacros", type: "PreviewableMacro")
