import Zoetrope

/// Returns the value for the kind of device. On a desktop, that is the default value.
///
/// ```swift
/// let spacing = deviceSpecificValue(phone: 8.0, pad: 12, tv: 40, default: 10)
/// ```
@MainActor @inlinable
public func deviceSpecificValue<T>(phone: T, pad: T, tv: T, default: T) -> T {
    switch UIDevice.current.userInterfaceIdiom {
    case .phone: phone
    case .pad: pad
    case .tv: tv
    default: `default`
    }
}

/// A button style that shows a symbol of a certain size in the accent color. The symbol shrinks while the button is
/// pressed.
public struct IconButtonStyle: ButtonStyle {
    let side: CGFloat
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .font(.system(size: side * 0.5))
            .foregroundColor(.accentColor)
            .frame(width: side, height: side)
            .contentShape(Rectangle())
            .scaleEffect(configuration.isPressed ? 0.9 : 1)
    }
}
/// A button style that shows the label unchanged.
public struct NoneButtonStyle: ButtonStyle {
    public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// A button style that shows a symbol in a rounded square.
public struct SquareButtonStyle: ButtonStyle {
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .foregroundColor(.accentColor)
            .padding(8)
            .background(RoundedRectangle(cornerRadius: 8).fill(Color.secondary.opacity(0.3)))
            .scaleEffect(configuration.isPressed ? 0.9 : 1)
    }
}
/// A button style for Picture in Picture, which shows a symbol without a background.
public struct PiPButtonStyle: ButtonStyle {
    public func makeBody(configuration: Configuration) -> some View {
        IconButtonStyle(side: deviceSpecificValue(phone: 30, pad: 40, tv: 60, default: 30)).makeBody(
            configuration: configuration)
    }
}

@MainActor
extension ButtonStyle where Self == IconButtonStyle {
    /// A symbol with a side length of 80 points on desktops and phones.
    ///
    /// ```swift
    /// Button { model.play() } label: { Image(systemName: "play.fill") }
    ///     .buttonStyle(.largeIcon)
    /// ```
    public static var largeIcon: IconButtonStyle {
        IconButtonStyle(side: deviceSpecificValue(phone: 80, pad: 90, tv: 160, default: 80))
    }
    /// A symbol with a side length of 50 points on desktops and phones.
    public static var mediumIcon: IconButtonStyle {
        IconButtonStyle(side: deviceSpecificValue(phone: 50, pad: 60, tv: 90, default: 50))
    }
    /// A symbol with a side length of 40 points on desktops and phones.
    public static var smallIcon: IconButtonStyle {
        IconButtonStyle(side: deviceSpecificValue(phone: 40, pad: 50, tv: 80, default: 40))
    }
    /// A symbol with a side length of 30 points on desktops and phones.
    public static var xsmallIcon: IconButtonStyle {
        IconButtonStyle(side: deviceSpecificValue(phone: 30, pad: 40, tv: 60, default: 30))
    }
}
extension ButtonStyle where Self == NoneButtonStyle {
    /// The unchanged label.
    public static var none: NoneButtonStyle { NoneButtonStyle() }
}
extension ButtonStyle where Self == SquareButtonStyle {
    /// A symbol in a rounded square.
    public static var square: SquareButtonStyle { SquareButtonStyle() }
}
extension ButtonStyle where Self == PiPButtonStyle {
    /// A symbol without a background, with a side length of 30 points on desktops and phones.
    public static var pip: PiPButtonStyle { PiPButtonStyle() }
}
