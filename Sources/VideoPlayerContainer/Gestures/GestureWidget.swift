import Zoetrope

/// The layer over the video that recognizes gestures.
struct GestureWidget: View {
    var body: some View {
        WithService(GestureService.self) { service in
            if service.enabled { Layer(service: service) }
        }
    }
}

private struct Layer: View {
    // The service is observed here too. Otherwise this view would count as unchanged when the app sets its own gesture,
    // because the service is the same object.
    @ObservedObject var service: GestureService
    /// Whether a drag is in progress. The state is also reset when a drag is canceled, which `onEnded` does not
    /// report.
    @GestureState private var isDragging = false

    var body: some View {
        Color.clear
            .contentShape(Rectangle())
            // A double tap is not two taps. A tap therefore waits until it can't become a double tap.
            .gesture(service.doubleTapGesture.exclusively(before: service.tapGesture))
            .simultaneousGesture(service.longPressGesture)
            .simultaneousGesture(drag)
            .simultaneousGesture(service.pinchGesture)
            .simultaneousGesture(service.rotationGesture)
            .simultaneousGesture(service.simultaneousTapGesture)
            .simultaneousGesture(service.simultaneousDoubleTapGesture)
            .simultaneousGesture(service.simultaneousLongPressGesture)
            .simultaneousGesture(service.simultaneousDragGesture)
            .simultaneousGesture(service.simultaneousPinchGesture)
            .simultaneousGesture(service.simultaneousRotationGesture)
            .onChange(of: isDragging) { if !isDragging { service.dragStopped() } }
            .onDisappear { service.dragStopped() }
    }

    private var drag: some Gesture { service.dragGesture.updating($isDragging) { _, state, _ in state = true } }
}
