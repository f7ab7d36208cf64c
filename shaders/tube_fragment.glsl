//VTK::System::Dec
//VTK::Output::Dec

// The ray through this fragment is cut with the round cone of the tube: the hull of a sphere at each end. The first of
// the hits with either sphere and with the cone that touches both is the surface.

smooth in vec3 positionVC;
smooth in vec3 offsetVC;
smooth in vec3 tubeColor;
flat in vec3 axisVC;
flat in vec4 endRadii;
flat in float isDimmed;
flat in float isBehindAll;

uniform mat4 viewToClip;
uniform int parallelProjection;
uniform float pixelUnit;
uniform float clipDepth;    // what is nearer than this is cut away; negative: nothing
uniform vec2 fogRange;      // depths where the depth cue begins and ends
uniform float fogStrength;
uniform float dimming;      // what remains of the colour of unselected branches
uniform vec3 backgroundColor;
uniform vec3 selectionColor;

const float kFar = 1e30;
const float kBehindAll = 0.999999; // depth
const float kGapDepth = 0.999998;
const float kGapShare = 0.55; // of the width of an outline with a gap

struct Hit
{
  float entry; // along the ray from the quad
  float exit;
  vec3 normal; // at the entry
};

void hitSphere(vec3 from, vec3 ray, float radius, inout Hit hit)
{
  float middle = -dot(from, ray);
  vec3 nearest = from + middle * ray;
  float inside = radius * radius - dot(nearest, nearest);
  if (inside < 0.0) {
    return;
  }
  float halfChord = sqrt(inside);
  if (middle - halfChord < hit.entry) {
    hit.entry = middle - halfChord;
    hit.normal = (nearest - halfChord * ray) / radius;
  }
  hit.exit = max(hit.exit, middle + halfChord);
}

// The cone that touches the spheres of radius ra at `from`'s origin and rb at `axis`. At height y over A along the axis
// its distance from the axis is (ra - slope y) / rise; between the circles where it touches the spheres it is the hull.
void hitCone(vec3 from, vec3 ray, vec3 axis, float ra, float rb, inout Hit hit)
{
  float height = length(axis);
  if (height <= abs(ra - rb) || height == 0.0) {
    return; // one sphere holds the other
  }
  vec3 unit = axis / height;
  float slope = (ra - rb) / height;
  float rise2 = 1.0 - slope * slope;
  float rayUp = dot(ray, unit);
  float fromUp = dot(from, unit);
  vec3 rayOut = ray - rayUp * unit;
  vec3 fromOut = from - fromUp * unit;
  float width = ra - slope * fromUp;
  float a = rise2 * dot(rayOut, rayOut) - slope * slope * rayUp * rayUp;
  float b = rise2 * dot(fromOut, rayOut) + slope * rayUp * width;
  float c = rise2 * dot(fromOut, fromOut) - width * width;
  float discriminant = b * b - a * c;
  if (discriminant < 0.0 || a == 0.0) {
    return;
  }
  float root = sqrt(discriminant);
  for (int i = 0; i < 2; ++i) {
    float t = (-b + (i == 0 ? -root : root)) / a;
    float y = fromUp + t * rayUp;
    if (y > ra * slope && y < height + rb * slope) {
      if (t < hit.entry) {
        hit.entry = t;
        hit.normal = normalize(fromOut + t * rayOut) * sqrt(rise2) + slope * unit;
      }
      hit.exit = max(hit.exit, t);
    }
  }
}

Hit hitTube(vec3 ray, vec2 radius)
{
  Hit hit = Hit(kFar, -kFar, vec3(0.0));
  hitSphere(offsetVC, ray, radius.x, hit);
  hitSphere(offsetVC - axisVC, ray, radius.y, hit);
  hitCone(offsetVC, ray, axisVC, radius.x, radius.y, hit);
  return hit;
}

vec3 shade(vec3 color, vec3 normal, vec3 ray, float width)
{
  // Key light from over the viewer's left shoulder; edges fall off as if the surroundings took light away.
  vec3 light = normalize(vec3(-0.35, 0.55, 1.0));
  float facing = max(dot(normal, -ray), 0.0);
  float diffuse = 0.5 + 0.5 * dot(normal, light);
  float lit = (0.34 + 0.86 * diffuse * diffuse) * (0.62 + 0.38 * facing);
  float gloss = pow(max(dot(reflect(ray, normal), light), 0.0), 28.0);
  // Tubes a pixel or two wide have no room for shading: they keep their colour.
  float room = smoothstep(1.0, 4.0, width);
  return color * mix(0.92, lit, room) + vec3(0.16 * gloss * room);
}

void main()
{
  vec3 ray = parallelProjection != 0 ? vec3(0.0, 0.0, -1.0) : normalize(positionVC);
  Hit hit = hitTube(ray, endRadii.xy);
  vec3 color = tubeColor;
  vec3 point;
  if (hit.entry < kFar) {
    point = positionVC + hit.entry * ray;
    if (-point.z < clipDepth) {
      if (-(positionVC.z + hit.exit * ray.z) <= clipDepth) {
        discard;
      }
      point = positionVC + (-clipDepth - positionVC.z) / ray.z * ray;
      color *= 0.45; // the cut
    } else {
      float pixel = parallelProjection != 0 ? pixelUnit : pixelUnit * max(-point.z, 1e-20);
      color = shade(color, hit.normal, ray, max(endRadii.x, endRadii.y) / pixel);
    }
    float fog = clamp((-point.z - fogRange.x) / (fogRange.y - fogRange.x), 0.0, 1.0) * fogStrength;
    color = mix(color, backgroundColor, fog);
    color = mix(color, mix(backgroundColor, color, dimming), isDimmed);
  } else {
    // The outline lies behind the tube, so that it never covers the branch that it surrounds.
    if (endRadii.z <= endRadii.x || hitTube(ray, endRadii.zw).entry == kFar) {
      discard;
    }
    point = positionVC + max(endRadii.z, endRadii.w) * ray;
    if (-point.z < clipDepth) {
      discard;
    }
    color = selectionColor;
  }
  vec4 clip = viewToClip * vec4(point, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
  if (hit.entry == kFar && isBehindAll > 0.5) {
    // A line around the cell as a whole, with a gap between: over no colour of it.
    bool isGap = hitTube(ray, mix(endRadii.xy, endRadii.zw, kGapShare)).entry < kFar;
    color = isGap ? backgroundColor : selectionColor;
    gl_FragDepth = isGap ? kGapDepth : kBehindAll;
  }
  gl_FragData[0] = vec4(color, 1.0);
}
