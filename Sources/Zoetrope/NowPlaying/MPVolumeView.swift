import DeclarativeUI
import DesktopServices
import Foundation
import MediaEngine
import PlayerControls
import PlayerViews

/// A slider for the volume of the app's audio, and a button that selects a cast device. MediaPlayer's view.
///
/// ```swift
/// struct Volume: UIViewRepresentable {
///     func makeUIView(context: Context) -> MPVolumeView { MPVolumeView() }
///     func updateUIView(_ view: MPVolumeView, context: Context) {}
/// }
/// ```
/// On Linux, the slider changes the app's own volume, not that of the desktop: `AVAudioSession.outputVolume`, which is
/// the volume of the player that has started last. Other players keep their volumes. The slider follows changes that
/// the app or another control makes. Moving it to the right unmutes the player. It is disabled while the app has no
/// player.
///
/// The first subview that is a `UISlider` is the volume slider. Setting its `value` changes the volume.
@MainActor @preconcurrency
open class MPVolumeView: UIView {
    private let slider = SessionVolumeSlider(frame: .zero)
    private let routes = RouteButton(frame: .zero)
    private var images: [ImageKey: UIImage] = [:]

    /// Creates a view with a frame in its superview, in points.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        for view in [slider, routes] as [UIView] { addSubview(view) }
        routes.sizeDidChange = { [weak self] in self?.setNeedsLayout() }
        slider.follow()
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Whether the slider is visible. Default: true.
    open var showsVolumeSlider = true {
        didSet {
            slider.isHidden = !showsVolumeSlider
            setNeedsLayout()
        }
    }
    /// Whether the button for cast devices is visible while there is a device. Default: true. The button is an
    /// `AVRoutePickerView`.
    open var showsRouteButton = true {
        didSet {
            routes.isHidden = !showsRouteButton
            setNeedsLayout()
        }
    }
    /// Whether a cast device has been found in the network. False until a search, such as that of the button for cast
    /// devices, has found one.
    open var areWirelessRoutesAvailable: Bool { CastRoutes.shared.isChoice }
    /// Whether the player that has started last plays on a cast device.
    open var isWirelessRouteActive: Bool { AVPlayer.sessionPlayer?.isExternalPlaybackActive ?? false }

    // MARK: layout

    /// Returns the rectangle of the slider in a view with the given bounds: the space beside the button for cast
    /// devices, in the middle of the height.
    open func volumeSliderRect(forBounds bounds: CGRect) -> CGRect {
        let button = routeButtonRect(forBounds: bounds)
        let width = button.isEmpty ? bounds.width : max(0, button.minX - MPVolumeView.gap - bounds.minX)
        let height = min(bounds.height, ControlExtent.regular)
        return CGRect(x: bounds.minX, y: bounds.midY - height / 2, width: width, height: height)
    }
    /// Returns the rectangle of the knob for a value, which is clamped to 0…1; NaN counts as 0. GTK's theme determines
    /// the exact position.
    open func volumeThumbRect(forBounds bounds: CGRect, volumeSliderRect rect: CGRect, value: Float) -> CGRect {
        let side = min(rect.height, MPVolumeView.knob)
        let fraction = value.isNaN ? 0 : CGFloat(min(max(value, 0), 1))
        return CGRect(
            x: rect.minX + fraction * max(0, rect.width - side), y: rect.midY - side / 2, width: side, height: side)
    }
    /// Returns the rectangle of the button for cast devices: at the right edge, or empty if the button is not visible.
    open func routeButtonRect(forBounds bounds: CGRect) -> CGRect {
        let size = showsRouteButton ? routes.intrinsicContentSize : .zero
        guard size.width > 0 else { return CGRect(x: bounds.maxX, y: bounds.midY, width: 0, height: 0) }
        let height = min(bounds.height, size.height)
        return CGRect(
            x: max(bounds.minX, bounds.maxX - size.width), y: bounds.midY - height / 2,
            width: min(size.width, bounds.width), height: height)
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        slider.frame = volumeSliderRect(forBounds: bounds)
        routes.frame = routeButtonRect(forBounds: bounds)
    }
    open override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: ControlExtent.regular)
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(width: size.width, height: ControlExtent.regular)
    }
    private static let gap: CGFloat = 8, knob: CGFloat = 18

    // MARK: images

    private struct ImageKey: Hashable {
        enum Part { case minimum, maximum, thumb, route }
        var part: Part
        var state: UIControl.State
    }
    /// Sets the image of the track before the knob, as for `UISlider`.
    open func setMinimumVolumeSliderImage(_ image: UIImage?, for state: UIControl.State) {
        images[ImageKey(part: .minimum, state: state)] = image
        slider.setMinimumTrackImage(image, for: state)
    }
    /// Sets the image of the track after the knob, as for `UISlider`.
    open func setMaximumVolumeSliderImage(_ image: UIImage?, for state: UIControl.State) {
        images[ImageKey(part: .maximum, state: state)] = image
        slider.setMaximumTrackImage(image, for: state)
    }
    /// Sets the image of the knob, as for `UISlider`.
    open func setVolumeThumbImage(_ image: UIImage?, for state: UIControl.State) {
        images[ImageKey(part: .thumb, state: state)] = image
        slider.setThumbImage(image, for: state)
    }
    /// Stores the image of the button for cast devices, without effect: the button shows the symbol of AirPlay.
    open func setRouteButtonImage(_ image: UIImage?, for state: UIControl.State) {
        images[ImageKey(part: .route, state: state)] = image
    }
    /// Returns the image that was set for the track before the knob.
    open func minimumVolumeSliderImage(for state: UIControl.State) -> UIImage? {
        images[ImageKey(part: .minimum, state: state)]
    }
    /// Returns the image that was set for the track after the knob.
    open func maximumVolumeSliderImage(for state: UIControl.State) -> UIImage? {
        images[ImageKey(part: .maximum, state: state)]
    }
    /// Returns the image that was set for the knob.
    open func volumeThumbImage(for state: UIControl.State) -> UIImage? {
        images[ImageKey(part: .thumb, state: state)]
    }
    /// Returns the image that was stored for the button for cast devices.
    open func routeButtonImage(for state: UIControl.State) -> UIImage? {
        images[ImageKey(part: .route, state: state)]
    }
}

/// A slider whose value is the volume of the audio session.
private final class SessionVolumeSlider: UISlider {
    private var observation: NSKeyValueObservation?
    private var isFollowing = false

    override var value: Float {
        get { super.value }
        set {
            super.value = newValue
            guard !isFollowing, super.value != AVAudioSession.sharedInstance().outputVolume,
                let player = AVPlayer.sessionPlayer
            else { return }
            PlaybackControl(player).setVolume(Double(super.value))
        }
    }

    /// Takes the value of the audio session, now and after every change.
    func follow() {
        let session = AVAudioSession.sharedInstance()
        observation = session.observeUntracked(\.sessionVolume) { [weak self] session, _ in
            self?.take(session.sessionVolume)
        }
        take(session.sessionVolume)
    }

    private func take(_ volume: SessionVolume) {
        isFollowing = true
        value = volume.level
        isFollowing = false
        isEnabled = volume.hasPlayer
    }
}

/// A button for cast devices that reports when it appears and disappears.
private final class RouteButton: AVRoutePickerView {
    var sizeDidChange: (() -> Void)?
    override func invalidateIntrinsicContentSize() {
        super.invalidateIntrinsicContentSize()
        sizeDidChange?()
    }
}
