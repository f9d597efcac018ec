import Foundation
@_spi(Graph) import ViewGraph

/// How high a sheet is. SwiftUI's type.
public struct PresentationDetent: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case fraction(CGFloat), height(CGFloat) }
    let kind: Kind
    /// Half as high as the window.
    public static let medium = PresentationDetent(kind: .fraction(0.5))
    /// As high as the window.
    public static let large = PresentationDetent(kind: .fraction(1))
    /// A share of the window's height, 0 to 1; clamped.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(kind: .fraction(fraction.isFinite ? min(1, max(0, fraction)) : 1))
    }
    /// Points; not less than 0.
    public static func height(_ height: CGFloat) -> PresentationDetent {
        PresentationDetent(kind: .height(height.isFinite ? max(0, height) : 0))
    }
    /// Points, in a window of a height.
    func height(in window: CGFloat) -> CGFloat {
        switch kind {
        case .fraction(let share): window * share
        case .height(let points): points
        }
    }
}

/// What the views of a sheet want for it.
struct SheetWish: Equatable {
    /// The height that is chosen.
    var detent: PresentationDetent?
    var isDismissDisabled = false
}
struct SheetWishKey: PreferenceKey {
    static let defaultValue = SheetWish()
    static func reduce(value: inout SheetWish, nextValue: () -> SheetWish) {
        let next = nextValue()
        value = SheetWish(
            detent: value.detent ?? next.detent, isDismissDisabled: value.isDismissDisabled || next.isDismissDisabled)
    }
}

extension View {
    /// How high the sheet of this view is: the least of the heights. Users give the sheet another size as any window.
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        let least = detents.min { $0.height(in: 1000) < $1.height(in: 1000) }
        return transformPreference(SheetWishKey.self) { $0.detent = least }
    }
    /// How high the sheet of this view is: the height that `selection` says.
    public func presentationDetents(_ detents: Set<PresentationDetent>, selection: Binding<PresentationDetent>)
        -> some View
    {
        let chosen = detents.contains(selection.wrappedValue) ? selection.wrappedValue : detents.first
        return transformPreference(SheetWishKey.self) { $0.detent = chosen }
    }
    /// Whether Escape and the sheet's own button leave it open.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        transformPreference(SheetWishKey.self) { if isDisabled { $0.isDismissDisabled = true } }
    }
    /// Shows a handle on the sheet: a window has a frame in its place.
    public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    /// How round the sheet's corners are: the desktop draws them.
    public func presentationCornerRadius(_ cornerRadius: CGFloat?) -> some View { self }
    /// What lies behind the content of the sheet, in all of it.
    public func presentationBackground<S: ShapeStyle>(_ style: S) -> some View {
        frame(maxWidth: .infinity, maxHeight: .infinity).background(style)
    }
}
