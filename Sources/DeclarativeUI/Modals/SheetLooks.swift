import Foundation
@_spi(Graph) import ViewGraph

/// A height of a sheet. Matches SwiftUI's `PresentationDetent`.
public struct PresentationDetent: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case fraction(CGFloat), height(CGFloat) }
    let kind: Kind
    /// Half the height of the window below the sheet.
    public static let medium = PresentationDetent(kind: .fraction(0.5))
    /// The height of the window below the sheet.
    public static let large = PresentationDetent(kind: .fraction(1))
    /// Returns a fraction of the height of the window below the sheet. The fraction is clamped to 0…1; a value that is
    /// not finite counts as 1.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(kind: .fraction(fraction.isFinite ? min(1, max(0, fraction)) : 1))
    }
    /// Returns a height in points. Negative values, and values that are not finite, count as 0.
    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(kind: .height(height.isFinite ? max(0, height) : 0))
    }
    /// Returns the height in points over a window of the height `window`.
    func height(in window: CGFloat) -> CGFloat {
        switch kind {
        case .fraction(let share): window * share
        case .height(let points): points
        }
    }
}

/// The settings of a sheet that its views request. Without detents, the content determines the height.
struct SheetSettings: Equatable {
    /// The requested heights. The smallest one is used.
    var detents: Set<PresentationDetent> = []
    var isDismissDisabled = false
    /// Returns the height over a window of the height `window`, at least 100 points, or nil if no height is requested.
    func height(in window: CGFloat) -> CGFloat? { detents.map { $0.height(in: window) }.min().map { max(100, $0) } }
}
struct SheetSettingsKey: PreferenceKey {
    static let defaultValue = SheetSettings()
    static func reduce(value: inout SheetSettings, nextValue: () -> SheetSettings) {
        let next = nextValue()
        value = SheetSettings(
            detents: value.detents.isEmpty ? next.detents : value.detents,
            isDismissDisabled: value.isDismissDisabled || next.isDismissDisabled)
    }
}

extension View {
    /// Sets the height of the sheet that contains this view to the smallest of `detents`, but at least 100 points.
    ///
    /// Users can resize the sheet like any window. With an empty set, the content determines the height.
    ///
    /// In the phone style, users cannot resize the sheet. A strip of the window below stays visible above the sheet,
    /// and with an empty set the sheet is `large`.
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        transformPreference(SheetSettingsKey.self) { $0.detents = detents }
    }
    /// Sets the height of the sheet that contains this view to `selection`.
    ///
    /// - Parameters:
    ///   - detents: The possible heights. If they do not contain the selection, the smallest is used.
    ///   - selection: The selected height.
    public func presentationDetents(_ detents: Set<PresentationDetent>, selection: Binding<PresentationDetent>)
        -> some View
    {
        presentationDetents(detents.contains(selection.wrappedValue) ? [selection.wrappedValue] : detents)
    }
    /// Sets whether Escape and the window's close button have no effect on the sheet or cover that contains this view.
    /// In the phone style, this also applies to clicks above the sheet.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        transformPreference(SheetSettingsKey.self) { if isDisabled { $0.isDismissDisabled = true } }
    }
    /// Has no effect: the window has a frame in place of a drag indicator.
    public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    /// Has no effect: the desktop draws the corners of the window.
    public func presentationCornerRadius(_ cornerRadius: CGFloat?) -> some View { self }
    /// Sets the background behind the whole content of the sheet.
    public func presentationBackground<S: ShapeStyle>(_ style: S) -> some View {
        frame(maxWidth: .infinity, maxHeight: .infinity).background(style)
    }
}
