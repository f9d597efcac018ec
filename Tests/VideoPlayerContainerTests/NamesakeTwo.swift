import VideoPlayerContainer

/// Two widgets' files may call their own services alike.
private class Namesake: Service { let file = "two" }

@MainActor func namesakeTwo(in context: Context) -> (service: Service, file: String) {
    let service = context[Namesake.self]
    return (service, service.file)
}
